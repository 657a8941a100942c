// The order of test files: by project, longest first.
import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Durations of the slowest files in seconds on two cores; only their order matters. */
export const SECONDS: Readonly<Record<string, number>> = {
  'browser/states-console.test.ts': 96,
  'browser/faults.deep.test.ts': 73,
  'browser/tour.deep.test.ts': 67,
  'browser/states-data.test.ts': 64,
  'browser/states-frame.test.ts': 56,
  'browser/faults.test.ts': 49,
  'browser/reports.test.ts': 45,
  'browser/files.test.ts': 43,
  'browser/playwright.deep.test.ts': 43,
  'browser/account.test.ts': 39,
  'browser/docs-site.deep.test.ts': 38,
  'scripts/package.deep.test.ts': 38,
  'browser/data-tools.test.ts': 37,
  'browser/data.test.ts': 36,
  'replay/shared-values.test.ts': 34,
  'recording/record-transparent.test.ts': 34,
  'browser/voyage.deep.test.ts': 34,
  'browser/network-conditions.test.ts': 31,
  'scripts/soak.deep.test.ts': 31,
  'scripts/package-backend.deep.test.ts': 31,
  'backend/security/host.deep.test.ts': 30,
  'recording/record-large.deep.test.ts': 30,
  'browser/console.test.ts': 28,
  'browser/console-live.test.ts': 27,
  'browser/rejected-key.test.ts': 24,
  'browser/first-use.test.ts': 23,
  'backend/reports/report-to-test.test.ts': 23,
  'browser/calls.test.ts': 22,
  'browser/vite-plugin.deep.test.ts': 22,
  'backend/access/planted.test.ts': 21,
  'scenarios/chaos.test.ts': 21,
  'recording/record-generated.test.ts': 20,
  'scenarios/rows-on-backend.test.ts': 19,
  'browser/voyage.test.ts': 19,
  'backend/data-lock.test.ts': 19,
  'browser/lead-back.test.ts': 19,
  'browser/extension.deep.test.ts': 19,
  'bench/bench.deep.test.ts': 19,
  'browser/tour.test.ts': 18,
  'backend/security/session-user.deep.test.ts': 17,
  'browser/work.test.ts': 16,
  'trace/read-limits.deep.test.ts': 16,
  'browser/keyboard.test.ts': 16,
  'workbench/all-rows.test.ts': 15,
  'browser/access.test.ts': 14,
  'browser/attach.test.ts': 13,
  'backend/access/review.test.ts': 13,
  'cli/replay-scale.test.ts': 13,
  'browser/sign-in.test.ts': 13,
  'backend/restart.test.ts': 13,
  'browser/tabs.test.ts': 13,
  'scripts/node-exit.test.ts': 13,
  'browser/shell.test.ts': 13,
  'backend/cli.test.ts': 12,
  'browser/earlier-recordings.test.ts': 12,
  'browser/console-craft.test.ts': 11,
  'browser/console-state.test.ts': 11,
  'backend/functions/edge-functions.test.ts': 11,
  'backend/security/storage-paths.test.ts': 11,
  'trace/damage.test.ts': 10,
  'backend/gateway-bounds.test.ts': 10,
  'backend/damage.test.ts': 10,
  'scripts/start.deep.test.ts': 10,
  'browser/hosted.test.ts': 10,
  'ui/console/chart/console-chart.test.ts': 10,
  'browser/console-place.test.ts': 10,
  'browser/console-checks.test.ts': 10,
  'scenarios/client-on-backend.test.ts': 9,
  'scripts/regexes.test.ts': 9,
  'backend/postgres-engine.deep.test.ts': 9,
  'browser/viewer.test.ts': 9,
  'testing/recorded-test.test.ts': 9,
  'backend/realtime/limits.test.ts': 9,
  'replay/minimize.test.ts': 8,
  'backend/security/cross-user.test.ts': 8,
  'replay/replay-detection.test.ts': 8,
  'browser/store.test.ts': 8,
  'model/pages.test.ts': 8,
  'scenarios/realtime-backend.test.ts': 8,
  'browser/console-time.test.ts': 8,
  'scripts/tour.test.ts': 7,
  'backend/auth/core-keys.test.ts': 7,
  'scripts/dev-servers.test.ts': 7,
  'cli/transfer.test.ts': 7,
  'model/specs.test.ts': 20,
  'trace/shared-parts.test.ts': 7,
  'backend/faults/clients.test.ts': 7,
  'workbench/exact-writes.test.ts': 7,
  'testing/left-behind.test.ts': 7,
}
const USUAL = 1.5

/**
 * A worker only continues with files of the same project: alternating projects would start a new worker per
 * file.
 */
const BLOCKS = ['browser', 'long', 'database', 'system', 'alone', 'unit', 'ui', 'page', 'pure']

export interface Timed {
  readonly project: string
  /** Path below `tests`, with slashes. */
  readonly path: string
}

/** Returns the files in the order in which workers take them. */
export function inOrder<File extends Timed>(files: readonly File[]): File[] {
  return files.toSorted(
    (a, b) =>
      BLOCKS.indexOf(a.project) - BLOCKS.indexOf(b.project) ||
      secondsOf(b) - secondsOf(a) ||
      a.path.localeCompare(b.path, 'en'),
  )
}

const secondsOf = ({ path }: Timed) => SECONDS[path] ?? USUAL

/** Another one is first each day. */
export function rotated<Item>(items: readonly Item[], day: number): Item[] {
  const first = items.length === 0 ? 0 : day % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

/**
 * For vitest, which sorts by file size by default. In a run that may end before the last file, other files are
 * last each day.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tests = `${this.ctx.config.root}/tests`
    const timed = files.map(file => ({
      file,
      project: file.project.name,
      path: relative(tests, file.moduleId).split(sep).join('/'),
    }))
    return rotated(inOrder(timed), Number(process.env['CHARTROOM_DAY'] ?? 0)).map(({ file }) => file)
  }
}
