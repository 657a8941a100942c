// What every package needs to run machines: clock, entropy, feeds, charts and contracts.
export {
  type ComposeSystem,
  env,
  type Environment,
  type Receiver,
  type Relay,
  swapEnvironment,
  type SystemParts,
  type SystemRegistry,
  withEnvironment,
  withRelay,
} from './ambient-env.ts'
export {
  type AppClass,
  AppClasses,
  type ClassCodec,
  classesOf,
  type Codec,
  isPlatformClass,
  withCodec,
} from './app-classes.ts'
export {
  type AddressForm,
  API_PATH,
  type HostAddress,
  isToken,
  projectOf,
  readAddress,
  settingValue,
} from './address.ts'
export { isSecretKind, jwtClaims, type KeyKind, keyKind } from './api-key.ts'
export { type Clock, createClock, createKeepAlive, type KeepAlive, type TimerHandle } from './clock.ts'
export type { ActorNames, ClientControl, PageEvents, Platform, SessionStorage, Steered } from './contracts.ts'
export { broken, CAUSE, effect, RequestError } from './effect.ts'
export { composeAlone } from './compose-alone.ts'
export { createEntropy, createSeededEntropy, type Entropy } from './entropy.ts'
export { createFeed, type Feed } from './feed.ts'
export { describeWith, type GivenSchemas, schemasKept } from './given-schemas.ts'
export {
  addChartLabels,
  guardName,
  machineChart,
  machineCharts,
  machineKeys,
  machinesOf,
  systemCharts,
  type TransitionNode,
  transitionsOf,
} from './machine-chart.ts'
export { currentSources, machineSource, systemSources } from './machine-source.ts'
export { abortReason, anySignal, parseUrl, plainCopy, throwIfAborted } from './platform.ts'
export { taped, tapePlatform } from './platform-reads.ts'
export { repeat, throttle } from './pacing.ts'
export { createSlices, nextTurn } from './slices.ts'
export { isSendable } from './sendable-token.ts'
export {
  copySourceNote,
  machinesOfModule,
  type NotedMachine,
  offerSourceReader,
  onNotedMachine,
  recordedSources,
} from './source-notes.ts'
export { type Started, startMachine } from './start-machine.ts'
