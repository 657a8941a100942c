// The public entry `@chartroom/devtools/testing`: specifies machines, and checks, explores and documents them.
export {
  briefly,
  type ChildSpec,
  childRests,
  fields,
  hasEnded,
  type Ignored,
  type PortSpec,
  type Samples,
  type Spec,
  specify,
} from '../../machines/index.ts'
export { explore, type Exploration } from '../../testing/spec/explore.ts'
export { type LintFinding, lintMachine, type LintOptions, type LintRule } from '../../testing/spec/lint.ts'
export { machinePage, type PageOptions } from '../../testing/spec/page.ts'
export { checkPairs, type Pair, type PairCheck } from '../../testing/spec/pairs.ts'
export {
  type RandomRunOptions,
  type RandomRunResult,
  randomRuns,
  replayRun,
} from '../../testing/spec/random-runs.ts'
export type { Sequence, SequenceStep } from '../../testing/spec/sequence.ts'
