/**
 * Loaded by `--import` into a service: appends a line to the file at LOOP_DELAY_FILE every 100 ms: the time, the
 * longest delay of the event loop, the most processor time between two turns of the loop, which does not contain the
 * time of other programs, both in milliseconds, and the peak of the memory in MiB.
 */
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['LOOP_DELAY_FILE'];
if (isMainThread && file) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let [last, longest] = [0, 0];
  setInterval(() => {
    const { user, system } = process.threadCpuUsage();
    longest = Math.max(longest, user + system - last);
    last = user + system;
  }, 1).unref();
  setInterval(() => {
    const peakMib = process.resourceUsage().maxRSS / 1024;
    if (delays.count > 0) appendFileSync(file, `${Date.now()} ${delays.max / 1e6} ${longest / 1e3} ${peakMib}\n`);
    delays.reset();
    longest = 0;
  }, 100).unref();
}
