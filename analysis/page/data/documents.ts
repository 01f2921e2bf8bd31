// SPDX-License-Identifier: BSD-3-Clause
// The JSON of commands in ExperimentIndex.documents: the keys that views use. Seconds are means of
// the processing units. A key that a command does not print is missing here, too.

import type { ExperimentIndex } from './index';

/** sis-analyze report --json */
export interface ReportDocument {
  p: number;
  t_p: number;
  t_p_without_probes: number | null;
  t_p_without_probes_least: number | null;
  t_s: number | null;
  complete: boolean;
  useful: number;
  processors: number | null;
  efficiencies: { [key: string]: number | null };
  regions: RegionEfficiency[];
  critical_path: CriticalStep[];
  overheads: { [name: string]: number };
  worst: WorstRegion[];
  actions: Advice[];
  warnings: string[];
}

export interface RegionEfficiency {
  region: string;
  place: string;
  share: number;
  processing_units: number;
  parallel_efficiency: number | null;
  mpi_load_balance: number | null;
  mpi_communication_efficiency: number | null;
  omp_parallel_efficiency: number | null;
  local_efficiency: number | null;
}

export interface CriticalStep {
  region: string;
  place: string; // 'model.c:110', '-': not in the source
  seconds: number;
  share: number;
  processes: number;
  path: string | null; // null: outside of all regions of the source
}

export interface WorstRegion {
  region: string;
  name: string; // as text shows it: with a caller, if it is a call in a file of MPI wrappers
  place: string;
  useful: number;
  overhead: number;
  mostly: string; // mnemonic
}

export interface Cause {
  region: string;
  file: string;
  line_start: number;
  process: number | null;
  thread: number | null;
  culprits: number; // units
  share: number;
  waited: boolean; // it waited itself
  estimated_share: number;
  path: string;
}

export interface Advice {
  rule: string;
  region: string;
  path: string | null;
  file: string;
  line_start: number;
  places: number; // with the same advice
  overhead: string;
  seconds: number;
  loss: number;
  finding: string;
  advice: string;
  cause: Cause | null;
}

/** sis-analyze overhead --json */
export interface OverheadDocument {
  p: number;
  t_p: number;
  t_s: number | null;
  t_o: number | null;
  useful: number;
  overheads: { [name: string]: number };
  not_computed?: { [name: string]: string }; // why
}

/** What is missing in a page that somebody cut short is taken to be empty. */
const NO_REPORT: ReportDocument = {
  p: 0, t_p: 0, t_p_without_probes: null, t_p_without_probes_least: null, t_s: null,
  complete: true, useful: 0, processors: null, efficiencies: {}, regions: [], critical_path: [],
  overheads: {}, worst: [], actions: [], warnings: [],
};

export function reportOf({ documents }: ExperimentIndex): ReportDocument | null {
  const { report } = documents;
  if (!report || typeof report !== 'object') return null;
  return { ...NO_REPORT, ...(report as Partial<ReportDocument>) };
}

export function overheadOf({ documents }: ExperimentIndex): OverheadDocument | null {
  const { overhead } = documents;
  return overhead && typeof overhead === 'object' ? overhead as OverheadDocument : null;
}
