// The order of test files: by project, longest first.
import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Durations of the slowest files in seconds on two cores; only their order matters. */
export const SECONDS: Readonly<Record<string, number>> = {
  'scenarios/chaos.test.ts': 101,
  'browser/console.test.ts': 77,
  'model/sequences.test.ts': 64,
  'browser/network-conditions.test.ts': 58,
  'browser/voyage.test.ts': 51,
  'browser/tour.test.ts': 45,
  'services/record-generated.test.ts': 38,
  'browser/faults.test.ts': 38,
  'browser/console-place.test.ts': 36,
  'browser/look.test.ts': 34,
  'browser/console-craft.test.ts': 32,
  'browser/tabs.test.ts': 31,
  'backend/security/cross-user.test.ts': 30,
  'scenarios/rows-on-backend.test.ts': 29,
  'browser/attach.test.ts': 28,
  'trace/damage.test.ts': 27,
  'scripts/package.test.ts': 27,
  'scenarios/replay-storms.test.ts': 27,
  'browser/lead-back.test.ts': 26,
  'browser/console-state.test.ts': 24,
  'browser/console-time.test.ts': 24,
  'browser/work.test.ts': 23,
  'backend/cli.test.ts': 22,
  'browser/inbox.test.ts': 22,
  'browser/console-checks.test.ts': 20,
  'scripts/start.test.ts': 20,
  'scenarios/client-on-backend.test.ts': 20,
  'services/record-keyframe.test.ts': 20,
  'backend/damage.test.ts': 20,
  'bench/bench.test.ts': 18,
  'services/record-replay.test.ts': 18,
  'cli/transfer.test.ts': 17,
  'browser/earlier-recordings.test.ts': 17,
  'backend/realtime-upgrade.test.ts': 14,
  'backend/restart.test.ts': 13,
  'backend/hard-kill.test.ts': 13,
  'backend/realtime/limits.test.ts': 13,
  'backend/visibility-property.test.ts': 13,
  'browser/oauth.test.ts': 12,
  'browser/store.test.ts': 12,
  'browser/shell.test.ts': 15,
  'model/pages.test.ts': 14,
  'backend/hostile-property.test.ts': 12,
  'ui/console-chart.test.ts': 10,
  'model/reach.test.ts': 8,
  'services/store-segments.test.ts': 6,
  'browser/account.test.ts': 30,
  'browser/console-axe.test.ts': 30,
  'browser/data-tools.test.ts': 25,
  'browser/data.test.ts': 25,
  'browser/files.test.ts': 20,
  'browser/calls.test.ts': 15,
  'scenarios/realtime-backend.test.ts': 11,
  'browser/sign-in.test.ts': 11,
  'backend/boot.test.ts': 11,
  'backend/project.test.ts': 11,
  'services/record-client.test.ts': 10,
  'backend/faults/clients.test.ts': 10,
  'backend/gateway-bounds.test.ts': 10,
  'backend/changes-load.test.ts': 9,
  'backend/filters.test.ts': 9,
  'testing/generated.test.ts': 9,
  'scripts/chart-layouts.test.ts': 9,
  'backend/auth/hostile-auth.test.ts': 9,
  'backend/auth/mfa-refusals.test.ts': 9,
  'backend/rest/property.test.ts': 8,
}
const USUAL = 1.5

/**
 * A worker only continues with files of the same project: alternating projects would start a new worker per
 * file.
 */
const BLOCKS = ['browser', 'deep', 'system', 'alone', 'unit', 'ui', 'page', 'pure']

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

/** For vitest, which sorts by file size by default. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tests = `${this.ctx.config.root}/tests`
    const timed = files.map(file => ({
      file,
      project: file.project.name,
      path: relative(tests, file.moduleId).split(sep).join('/'),
    }))
    return inOrder(timed).map(({ file }) => file)
  }
}
