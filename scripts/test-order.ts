// The order of test files: by project, longest first.
import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Durations of the slowest files in seconds on two cores; only their order matters. */
export const SECONDS: Readonly<Record<string, number>> = {
  'scenarios/chaos.test.ts': 147,
  'model/sequences.test.ts': 103,
  'browser/faults.test.ts': 91,
  'browser/console.test.ts': 89,
  'browser/look.test.ts': 87,
  'browser/console-axe.test.ts': 74,
  'browser/tour.test.ts': 74,
  'browser/network-conditions.test.ts': 71,
  'browser/voyage.test.ts': 66,
  'backend/security/cross-user.test.ts': 58,
  'browser/data.test.ts': 55,
  'browser/account.test.ts': 54,
  'scenarios/replay-storms.test.ts': 50,
  'browser/files.test.ts': 49,
  'recording/record-generated.test.ts': 48,
  'browser/tabs.test.ts': 45,
  'browser/console-craft.test.ts': 43,
  'browser/lead-back.test.ts': 42,
  'browser/data-tools.test.ts': 38,
  'browser/work.test.ts': 38,
  'browser/calls.test.ts': 37,
  'browser/attach.test.ts': 36,
  'browser/page-widths.test.ts': 33,
  'scripts/soak.test.ts': 31,
  'scenarios/rows-on-backend.test.ts': 30,
  'browser/console-checks.test.ts': 29,
  'browser/sign-in.test.ts': 29,
  'browser/console-place.test.ts': 29,
  'browser/shell.test.ts': 27,
  'scripts/regexes.test.ts': 27,
  'browser/console-state.test.ts': 26,
  'browser/earlier-recordings.test.ts': 26,
  'browser/console-time.test.ts': 24,
  'browser/store.test.ts': 22,
  'trace/damage.test.ts': 22,
  'backend/cli.test.ts': 21,
  'browser/inbox.test.ts': 21,
  'bench/bench.test.ts': 20,
  'model/pages.test.ts': 20,
  'recording/record-keyframe.test.ts': 19,
  'scripts/start.test.ts': 18,
  'backend/damage.test.ts': 18,
  'recording/record-replay.test.ts': 17,
  'cli/transfer.test.ts': 17,
  'backend/visibility-property.test.ts': 16,
  'browser/oauth.test.ts': 16,
  'backend/security/storage-paths.test.ts': 16,
  'recording/record-transparent.test.ts': 16,
  'backend/changes-load.test.ts': 15,
  'scenarios/client-on-backend.test.ts': 15,
  'testing/generated.test.ts': 14,
  'backend/data-lock.test.ts': 14,
  'recording/record-client.test.ts': 14,
  'backend/hard-kill.test.ts': 13,
  'browser/seen-by.test.ts': 13,
  'backend/rest/property.test.ts': 13,
  'recording/record-keyframe-only.test.ts': 12,
  'browser/record-foreign.test.ts': 12,
  'ui/console/chart/console-chart.test.ts': 11,
  'backend/restart.test.ts': 11,
  'recording/record-fuzz.test.ts': 11,
  'backend/realtime/limits.test.ts': 11,
  'scripts/package.test.ts': 11,
  'backend/engine-failure.test.ts': 11,
  'backend/hostile-property.test.ts': 9,
  'scripts/event-schemas.test.ts': 9,
  'scenarios/realtime-backend.test.ts': 8,
  'backend/gateway-bounds.test.ts': 8,
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
