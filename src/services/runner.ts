// The runner: starts the client's machines and passes commands to them; a recorder does so with everything noted.
import { createActor, type ActorRefFrom } from 'xstate'
import type { ClientCommand } from '../machines/client-events.ts'
import type { ClientInput, clientMachine } from '../machines/client.ts'
import type { Recording } from './client-types.ts'
import type { Clock } from './clock.ts'
import type { Entropy } from './entropy.ts'
import type { ActorNames } from './recording/actor-registry.ts'
import { createFeed, type Feed } from './feed.ts'
import type { CreateRealtimeParts } from './realtime/realtime-parts.ts'
import { withRelay } from './system-parts.ts'
import type { CreateUploadsParts } from './uploads/uploads-parts.ts'

export type ClientActor = ActorRefFrom<typeof clientMachine>

/** Code that is else loaded on first use. */
export interface GivenParts {
  readonly realtime: CreateRealtimeParts
  readonly uploads: CreateUploadsParts
}

/** The client's machines, not yet put together. */
export interface ClientSystem {
  readonly appVersion: string
  readonly clock: Clock
  readonly entropy: Entropy
  /** @param given what is loaded on first use, by those who have it from the start. */
  readonly compose: (given?: GivenParts) => typeof clientMachine
  readonly input: ClientInput
  /** Takes a command to the actor whom it concerns; to be called between two steps. */
  readonly deliver: (client: ClientActor, command: ClientCommand) => void
}

/** A client's machines under way. */
export interface Runner {
  readonly actor: ClientActor
  readonly start: () => void
  readonly send: (command: ClientCommand) => void
  readonly stop: () => void
  /** Counts steps; what is derived from the machines is stale when the version is another. */
  readonly steps: Pick<Feed, 'version' | 'subscribe'>
  /** What a machine may know of an address. */
  readonly redactUrl: (url: string) => string
  /** Hides this value wherever it turns up in a recording. */
  readonly registerSecret: (secret: string) => void
  readonly recording: Recording | undefined
  /** The actors by their names in the recording. */
  readonly actors?: ActorNames
}

/** Creates a runner, not started. Given to `createChartroomClient` as `recording`, never called by an app. */
export type RunClient = (system: ClientSystem) => Runner

/** Runs the machines and keeps no record of it. */
export const runBare: RunClient = ({ clock, compose, input, deliver }) => {
  const steps = createFeed()
  const actor = createActor(compose(), {
    clock,
    input,
  })
  // An inspector would be told of everything, in objects made for it; a step is all that is to be known here.
  const system = withRelay(actor.system)
  const relay = system._relay
  system._relay = (source, target, event) => {
    relay(source, target, event)
    steps.tell()
  }
  return {
    actor,
    steps,
    start() {
      actor.start()
      steps.tell()
    },
    send: command => deliver(actor, command),
    stop() {
      actor.stop()
      steps.tell()
    },
    // A query may hold a secret, and no machine asks for it.
    redactUrl: url => url.replace(/[?#].*/s, ''),
    registerSecret: () => undefined,
    recording: undefined,
  }
}
