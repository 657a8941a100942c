// What other packages use of the traces: format, codec, reading, writing, redaction, assertions and models.
export {
  after,
  alternates,
  always,
  and,
  assertion,
  atMost,
  atRest,
  calms,
  closes,
  count,
  each,
  eventually,
  never,
  not,
  or,
  precedes,
  responds,
  watch,
} from './assert/build.ts'
export {
  checkGrowing,
  checkModel,
  type CheckModelOptions,
  type CheckOptions,
  checkTrace,
  createAssertionWatch,
  type GrowingCheck,
} from './assert/check.ts'
export {
  type AssertionFailure,
  type AssertionResult,
  type CheckReport,
  describeAssertionFailure,
  type RecordSummary,
} from './assert/report.ts'
export type {
  ActorPattern,
  Assertion,
  Comparison,
  Formula,
  Key,
  Pattern,
  Span,
  StepPattern,
  Within,
} from './assert/language.ts'
export { isAssertion, readAssertions, type ReadAssertions } from './assert/read.ts'
export type { ObservedStep } from './assert/steps.ts'
export { type MachinePattern, stepsOf } from './assert/typed.ts'
export { timeInWords } from './assert/values.ts'
export {
  type ChartChange,
  chartDiff,
  describeChange,
  describeTransition,
  short,
} from './charts/chart-diff.ts'
export {
  behaviorHash,
  isSameMachine,
  type NamedTransition,
  namedTransitions,
  sameTransition,
  sourceOfName,
  statesOf,
} from './charts/chart-states.ts'
export {
  inlineKey,
  isProjectPath,
  type MachinePart,
  type MachineSources,
  type PartPlace,
  positionIn,
  positionText,
} from './charts/source-positions.ts'
export { stepPosition } from './charts/step-position.ts'
export {
  activeNodePaths,
  chartOf,
  namesTransitions,
  takenTransitions,
  timerTransitions,
} from './charts/taken-transitions.ts'
export { commandLine } from './command-line.ts'
export { decodeValue } from './codec/codec-decode.ts'
export { encodeCompact, encodeGraph, encodeValue } from './codec/codec.ts'
export { Equivalence } from './codec/equivalence.ts'
export { jsonText } from './codec/json-text.ts'
export { isList, type Json } from './codec/json.ts'
export {
  eachPart,
  MOST_DENSE,
  ownField,
  partAt,
  partFinder,
  type PathKey,
  pointerOf,
  replacePart,
} from './codec/object-path.ts'
export { eventFields, type EventFields, sentEvent, typeOf, UNDEFINED_EVENT } from './codec/odd-event.ts'
export { comparable, createRollingHash } from './codec/rolling-hash.ts'
export {
  ActorReference,
  errorExtras,
  errorText,
  functionName,
  isPlain,
  makeError,
  MAX_DEPTH,
  messageOf,
  Opaque,
  readField,
  setOwn,
} from './codec/values.ts'
export { partsIn, pointerTo, ValueWalk } from './codec/walk.ts'
export { webText } from './codec/web-values.ts'
export {
  addCounts,
  checkThresholds,
  CoverageCounter,
  type CoverageReport,
  type CoverageTotals,
  type CoveredTrace,
  type GuardPlace,
  type MachineCounts,
  type MachineCoverage,
  mergeCoverage,
  selectMachines,
  type Share,
  type Shortfall,
  type Thresholds,
  toReport,
} from './coverage/coverage.ts'
export { recordedCoverage } from './coverage/recorded.ts'
export { diffValues, listedChanges } from './diff.ts'
export { ExportError, shownState, stateText } from './exports/run-text.ts'
export {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportOptions,
  exportPieces,
  exportTrace,
} from './exports/export-trace.ts'
export {
  controlCode,
  isVariableName,
  jsComment,
  jsImport,
  jsKey,
  jsString,
  type NamedImport,
  oneLine,
  ownSystem,
  shellWord,
  sqlName,
  sqlString,
} from './exports/code-text.ts'
export { literal, Unsayable } from './exports/literal.ts'
export { toStateDiagram } from './exports/mermaid.ts'
export { type CodeRequest, curlCommand, fetchCall, maskedHeader } from './exports/request-code.ts'
export {
  ANSWER_FORMS,
  repliesByTest,
  type TestOptions,
  testTitle,
  vitestTest,
} from './exports/vitest-test.ts'
export { toLcov } from './exports/lcov.ts'
export { xmlAttributes, xmlText } from './exports/xml.ts'
export { type ForeignReport, ForeignTrace } from './foreign/foreign-trace.ts'
export {
  batchOf,
  type Damage,
  inBatches,
  type NotedTrace,
  notesOf,
  type ReplayableTrace,
  type TraceBatch,
  type TraceSource,
} from './format/trace-source.ts'
export { idOfSegment, pathSegment } from './format/actor-path.ts'
export { readTraceContext, type TraceContext, traceparentOf } from './format/trace-context.ts'
export type {
  ChartState,
  ChartTransition,
  EventSchemas,
  MachineChart,
  PayloadSchema,
} from './format/chart.ts'
export {
  type MachineSource,
  type PlaceTree,
  type SourcePlace,
  type SourcePosition,
  SOURCES_KEY,
} from './format/source.ts'
export {
  type ActorEntry,
  type ActorKind,
  type Anchor,
  type BookmarkRecord,
  type CodeCounts,
  type EndRecord,
  FORMAT_VERSION,
  type KeyframeRecord,
  LOST,
  type Phase,
  type PlacedRecord,
  type SameObject,
  type StateValue,
  type StepOutput,
  type StepRecord,
  type Stimulus,
  type TapeEntry,
  type TraceHeader,
  type TypedObject,
} from './format/records.ts'
export {
  checkTrace as checkInvariants,
  createTraceWatch,
  describeViolation,
  type InvariantName,
  invariants,
  type Violation,
} from './invariants/invariants.ts'
export { checkTabs, type TabTrace } from './invariants/tabs.ts'
export { minimizeList, type MinimizeProgress, type Trial } from './minimize.ts'
export { type OpenResult, openTrace } from './model/open-trace.ts'
export { type ActorState, TraceModel } from './model/trace-model.ts'
export { type CompiledQuery, compileQuery, type DeepTerm, matchesDeep, textOfTerm } from './query/compile.ts'
export { FLAG_WORDS, KEY_HELP, parseQuery, type Query, type Term } from './query/parse.ts'
export { type ReadOptions, type ReadResult, readTrace } from './read/read-file.ts'
export { describeDamage } from './read/describe-damage.ts'
export { packLines } from './read/gzip.ts'
export { extentOf, type Part, presentIn } from './read/join-part.ts'
export { Joiner, joinTraces } from './read/join.ts'
export { RecordReader, type UnusableReason } from './read/record-reader.ts'
export type { ByteInput, ByteSource } from './read/unpack.ts'
export { isPlainHeader } from './redact/plain-headers.ts'
export { createRedactor, REDACTION_POLICY, type Redactor } from './redact/redact.ts'
export { isSecretUnder, WORD } from './redact/secret-names.ts'
export { policyOf, type RedactionPolicy, secretKeys } from './redact/secrets.ts'
export { standInFor } from './redact/make-stand-in.ts'
export { isStandIn, type StandIn } from './redact/stand-ins.ts'
export { countUpToNumber, FAMILIES, type Family, NEVER, shortPath } from './timeline/actor-tracks.ts'
export { FLAG, type TimelineBlock, transferOf } from './timeline/block.ts'
export { isFailure, textAt } from './event-values.ts'
export { type Cut, LiveFeed, TimelineFeed } from './timeline/feed.ts'
export { eachPoint, eachSpan, spansOf } from './timeline/lanes.ts'
export { activePaths, leafPaths, type StateInfo, stateLabel } from './timeline/state-value.ts'
export type { StimulusFacts } from './timeline/step-table.ts'
export { Timeline } from './timeline/timeline.ts'
export type { Wire, WireAttempt, WirePart } from './timeline/wire-table.ts'
export { wildcardTest } from './wildcards.ts'
export {
  createLineEncoder,
  encodeFile,
  encodeLines,
  type EncodeOptions,
  type LineEncoder,
  MEMBER_TEXT,
} from './write/encode.ts'
export { hasOmissions, recordText } from './write/record-line.ts'
export { editDistance } from './edit-distance.ts'
export { isEqual } from './equal.ts'
export {
  type Answer,
  type Question,
  STATUS_QUESTIONS,
  type StatusQuestion,
  type StepRef,
} from './explain/answer.ts'
export { explain, isExplained } from './explain/explain.ts'
export { type EndProblem, endProblem, explainEnd, explainSelected } from './explain/explain-more.ts'
export { problemKey } from './explain/problem-key.ts'
export { withoutValues } from './explain/without-values.ts'
export { type ExplainedTrace, type StepSource, stepsOfTrace } from './explain/step-source.ts'
export { StepFolds } from './explain/step-folds.ts'
export { isOwnSystem } from './explain/client-vocabulary.ts'
export { Listeners } from './listeners.ts'
export { describeTraceDiff, diffSteps, diffTraces, type TraceChange, type TraceDiff } from './trace-diff.ts'
