// The runner: runs the client's machines. A recorder is a runner that also records.
import { createActor, type ActorRefFrom } from 'xstate'
import type { ClientInput, clientMachine } from '../../machines/index.ts'
import type { ClientRecording } from './client-types.ts'
import {
  type ActorNames,
  type Clock,
  createFeed,
  type Entropy,
  type Feed,
  withRelay,
} from '../runtime/index.ts'
import type { CreateRealtimeParts } from './realtime/realtime-parts.ts'
import type { CreateUploadsParts } from './uploads/uploads-parts.ts'

export type ClientActor = ActorRefFrom<typeof clientMachine>

/** Code that is otherwise loaded on first use. */
export interface GivenParts {
  readonly realtime: CreateRealtimeParts
  readonly uploads: CreateUploadsParts
}

/** The client's machines before composition. */
export interface ClientSystem {
  readonly appVersion: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** @param parts parts that are otherwise loaded on first use */
  readonly compose: (parts?: GivenParts) => typeof clientMachine
  readonly input: ClientInput
}

/** The running machines of a client. */
export interface Runner {
  readonly actor: ClientActor
  readonly start: () => void
  /** Runs the callback between two steps: now, or after the current step. */
  readonly between: (run: () => void) => void
  readonly stop: () => void
  /** Counts steps; values derived from the machines are outdated when the version changes. */
  readonly steps: Pick<Feed, 'version' | 'subscribe'>
  /** Removes parts of a URL that machines must not see. */
  readonly redactUrl: (url: string) => string
  /** Redacts this value wherever it occurs in a recording. */
  readonly registerSecret: (secret: string) => void
  readonly recording: ClientRecording | undefined
  /** Actors by their names in the recording. */
  readonly actors?: ActorNames
}

/**
 * Creates a runner without starting it. Pass it to `createChartroomClient` as `recording`; apps never call
 * it.
 */
export type RunClient = (system: ClientSystem) => Runner

/** Runs the machines without recording. */
export const runBare: RunClient = ({ clock, compose, input }) => {
  const steps = createFeed()
  const actor = createActor(compose(), {
    clock,
    input,
  })
  // Inspection would create objects for every event; counting steps is enough here.
  const system = withRelay(actor.system)
  const relay = system._relay
  system._relay = (source, target, event) => {
    relay(source, target, event)
    steps.notify()
  }
  return {
    actor,
    steps,
    start() {
      actor.start()
      steps.notify()
    },
    between: run => run(),
    stop() {
      actor.stop()
      steps.notify()
    },
    // A query may contain a secret, and no machine needs it.
    redactUrl: url => url.replace(/[?#].*/s, ''),
    registerSecret: () => undefined,
    recording: undefined,
  }
}
