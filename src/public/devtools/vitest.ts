// The public entry `@chartroom/devtools/vitest`: importing it adds matchers of traces and specifications.
// Its `test` saves the trace of a failed test.
import '../../testing/vitest-version.ts'
import { expect } from 'vitest'
import { offerSourceReader, systemSources } from '../../services/runtime/index.ts'
import { specMatchers, type SpecMatchers } from '../../testing/spec/matchers.ts'
import { matchers, type TraceMatchers, type ToSatisfy } from '../../testing/matchers.ts'

export { test, type TraceFixtures } from '../../testing/fixture.ts'
export { driveRecording } from '../../testing/drive-recording.ts'
export type { Machines, TraceLike } from '../../testing/matchers.ts'
export { recordedStage } from '../../testing/recorded-stage.ts'
export {
  type Answer,
  type AtOnce,
  createStage,
  type RecordedStage,
  type Stage,
  type StageOptions,
} from '../../services/replay/index.ts'
export type { SpecMatchers, TraceMatchers }

expect.extend({ ...matchers, ...specMatchers })
offerSourceReader(systemSources)

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends TraceMatchers, SpecMatchers<R> {}

  interface Assertion<R extends void | Promise<void> = void, T = unknown> {
    toSatisfy: ToSatisfy<R>
  }
}
