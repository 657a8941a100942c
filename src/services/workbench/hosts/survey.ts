// A diagnostics run for a backend: the survey machine with real network requests, as a subscribable object.
import { fromCallback, type EventObject } from 'xstate'
import {
  type Family,
  type FamilyAnswered,
  type FamilyReport,
  type probeFamily,
  type SurveyContext,
  surveyMachine,
} from '../../../machines/index.ts'
import { attach, type Attached } from '../../control/index.ts'
import { boundedFetch } from '../../client/index.ts'
import { workbenchSystem } from '../systems/workbench-system.ts'
import { probeHost, type Host, type HostPorts } from './family-calls.ts'

/** State of the run. */
export interface SurveyState {
  readonly phase: 'running' | 'complete' | 'timedOut'
  readonly reports: SurveyContext['reports']
}

export interface Survey {
  readonly state: () => SurveyState
  readonly subscribe: (listener: () => void) => () => void
  /** The last started run, for a separate console. */
  readonly attached: () => Pick<Attached<typeof surveyMachine>, 'recording' | 'control'>
  /** Starts a run and clears earlier results. */
  readonly start: () => void
  readonly retry: () => void
  /** Cancels the run; it can be started again. */
  readonly stop: () => void
}

/** In ms. Remote backends respond well within this time. */
const DEADLINE_MS = 8_000

const browser = (): HostPorts => ({
  fetch: boundedFetch(globalThis.fetch.bind(globalThis), { all: true }),
  WebSocket: globalThis.WebSocket,
  now: () => performance.now(),
  wall: () => Date.now(),
})

/**
 * Creates a diagnostics run without starting it. Secret keys are never sent, since they are rejected
 * beforehand.
 */
export function createSurvey(
  host: Host,
  { deadline = DEADLINE_MS, ...ports }: Partial<HostPorts> & { readonly deadline?: number } = {},
): Survey {
  const used = { ...browser(), ...ports }
  const machine = surveyMachine.provide({ actors: { probeFamily: createProbe(host, used) } })
  const begin = () => attach(machine, { input: { deadline }, system: workbenchSystem('survey') })
  const listeners = new Set<() => void>()
  let attached = begin()
  let state = stateOf(attached.actor.getSnapshot())
  return {
    state: () => state,
    subscribe: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    attached: () => attached,
    start: () => {
      attached = begin()
      const { actor } = attached
      actor.subscribe(snapshot => {
        state = stateOf(snapshot)
        for (const listener of listeners) listener()
      })
      actor.start()
    },
    retry: () => attached.actor.send({ type: 'survey.retry' }),
    stop: () => void attached.actor.stop(),
  }
}

function stateOf(snapshot: {
  readonly value: SurveyState['phase']
  readonly context: SurveyContext
}): SurveyState {
  return { phase: snapshot.value, reports: snapshot.context.reports }
}

function createProbe(host: Host, ports: HostPorts): typeof probeFamily {
  return fromCallback<EventObject, { readonly family: Family }, FamilyAnswered>(({ input, sendBack }) => {
    const { family } = input
    const giveUp = new AbortController()
    probeHost(family, host, ports, giveUp.signal).then(
      report => sendBack({ type: 'family.answered', family, report }),
      (error: unknown) => {
        if (!giveUp.signal.aborted) sendBack({ type: 'family.answered', family, report: broken(error) })
      },
    )
    return () => giveUp.abort()
  })
}

const broken = (error: unknown): FamilyReport => ({
  state: 'noResponse',
  ms: 0,
  detail: `The check failed: ${error instanceof Error ? error.message : String(error)}`,
  facts: [],
})
