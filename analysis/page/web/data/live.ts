// SPDX-License-Identifier: BSD-3-Clause
// Asks the server of a live page for newer looks at the program, with one request at a time. It
// does not ask while the page is hidden or paused, nor after the program's end. If an answer is
// missing or damaged, the page keeps the look that it has, and asks again later.

import { type Activity, type Outcome, patienceMs, pauseMs } from '../decide/live';
import { Damaged } from './decode';
import type { LiveIndex } from './index';
import type { Page } from './page';
import { readAnswer } from './reader';

/** A function that shows a look. Its result is false if the look was not wanted any more. It throws
 * Damaged if the look cannot be shown. */
export type Taker = (page: Page, isWanted: () => boolean) => Promise<boolean>;

class NoAnswer extends Error {}

/** The next look; null if there is none yet. */
async function ask(after: number, patience_ms: number): Promise<Page | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience_ms);
  try {
    const answer = await fetch(`data?after=${after}`, { cache: 'no-store', redirect: 'error',
      signal: stop.signal });
    if (answer.status === 204) return null;
    if (answer.status !== 200) throw new NoAnswer();
    return readNewer(await answer.text(), after);
  } catch (error) {
    throw error instanceof Damaged ? error : new NoAnswer();
  } finally {
    clearTimeout(timer);
  }
}

function readNewer(text: string, after: number): Page {
  const page = readAnswer(text);
  if (!(page.index.live && page.index.live.look > after)) throw new Damaged('it is no newer look');
  return page;
}

export class Live {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking = false;
  private failures = 0;
  private doing: Activity = { kind: 'asks' };
  private take: Taker = async () => false;
  /** Called when the activity has changed. */
  onchange: () => void = () => {};

  constructor(private index: LiveIndex) {
    if (index.state !== 'runs') this.doing = { kind: 'over' };
  }

  get activity(): Activity {
    return this.doing;
  }

  /** The look that is shown. */
  get look(): LiveIndex {
    return this.index;
  }

  start(take: Taker): void {
    this.take = take;
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.askNow();
      else clearTimeout(this.timer);
    });
    this.askAfter(pauseMs({ kind: 'look' }, this.index.interval_ns));
  }

  pause(on: boolean): void {
    if (this.doing.kind === 'over') return;
    clearTimeout(this.timer);
    this.failures = 0;
    this.does({ kind: on ? 'paused' : 'asks' });
    if (!on) this.askNow();
  }

  /** Asks for a look at once, unless a request is under way. */
  askNow(): void {
    this.askAfter(0);
  }

  /** To be called with true when a look has arrived that cannot be shown yet, and with false when
   * it does not wait any more. */
  waits(on: boolean): void {
    if (on && this.doing.kind === 'asks') this.does({ kind: 'waits' });
    if (!on && this.doing.kind === 'waits') this.does({ kind: 'asks' });
  }

  private does(activity: Activity): void {
    this.doing = activity;
    this.onchange();
  }

  private get mayAsk(): boolean {
    return !this.asking && this.doing.kind !== 'paused' && this.doing.kind !== 'over'
      && document.visibilityState === 'visible';
  }

  private askAfter(ms: number): void {
    clearTimeout(this.timer);
    if (this.mayAsk) this.timer = setTimeout(() => void this.request(), ms);
  }

  private async request(): Promise<void> {
    if (!this.mayAsk) return;
    this.asking = true;
    const outcome = await this.tryOnce();
    this.asking = false;
    this.askAfter(pauseMs(outcome, this.index.interval_ns));
  }

  private async tryOnce(): Promise<Outcome> {
    try {
      const page = await ask(this.index.look, patienceMs(this.index.interval_ns));
      const shown = page !== null && await this.show(page);
      this.failures = 0;
      if (this.doing.kind !== 'paused' && this.doing.kind !== 'over') this.does({ kind: 'asks' });
      return { kind: shown ? 'look' : 'none' };
    } catch (error) {
      return this.failed(error);
    }
  }

  private async show(page: Page): Promise<boolean> {
    if (!await this.take(page, () => this.doing.kind !== 'paused')) return false;
    this.index = page.index.live!;
    if (this.index.state !== 'runs') this.does({ kind: 'over' });
    return true;
  }

  private failed(error: unknown): Outcome {
    const times = ++this.failures;
    if (this.doing.kind !== 'paused')
      this.does(error instanceof NoAnswer ? { kind: 'silent' } : { kind: 'unreadable',
        why: error instanceof Damaged ? error.what : String(error) });
    return { kind: 'failed', times };
  }
}
