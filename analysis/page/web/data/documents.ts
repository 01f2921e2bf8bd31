// SPDX-License-Identifier: BSD-3-Clause
// The types of ExperimentIndex.documents, which are the JSON of commands, with the keys that views
// use. Seconds are means of the processing units. If a command does not print a key, the document
// lacks the key, too.

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
  place: string; // 'model.c:110'; '-' if it is not in the source
  seconds: number;
  share: number;
  processes: number;
  path: string | null; // null if it is outside of all regions of the source
}

export interface WorstRegion {
  region: string;
  name: string; // as commands show it: a call in a file of MPI wrappers has its caller
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
  culprits: number; // number of units
  share: number;
  waited: boolean; // whether the culprit itself waited
  estimated_share: number;
  path: string;
}

export interface Advice {
  rule: string;
  region: string;
  path: string | null;
  file: string;
  line_start: number;
  places: number; // number of places with the same advice
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
  not_computed?: { [name: string]: string }; // the reason of each
}

/** If a page was cut short, a missing report is treated as this empty one. */
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
