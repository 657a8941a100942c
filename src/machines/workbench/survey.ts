// Diagnostics of a host: requests its five families at once and collects the results, until all responded or
// time is up.
import { assign, setup } from 'xstate'
import { port } from '../port.ts'

export const FAMILIES = ['auth', 'rest', 'storage', 'functions', 'realtime'] as const
export type Family = (typeof FAMILIES)[number]

/** The result for one family. */
export interface FamilyReport {
  /** `closed`: the family exists, but this API key has no access. */
  readonly state: 'ok' | 'closed' | 'absent' | 'unhealthy' | 'noResponse'
  /** Milliseconds until it responded. */
  readonly ms: number
  readonly version?: string
  /** The result, and what to do about a problem. */
  readonly detail: string
  /** Additional facts that it reported. */
  readonly facts: readonly string[]
  /** How far the host's clock is ahead of this one, in milliseconds, if a page may read it. */
  readonly skew?: number
}

/** An event of the port. */
export interface FamilyAnswered {
  readonly type: 'family.answered'
  readonly family: Family
  readonly report: FamilyReport
}
export type SurveyEvent =
  | FamilyAnswered
  /** Requests all of them again. */
  | { readonly type: 'survey.retry' }

export interface SurveyContext {
  readonly deadline: number
  readonly reports: Readonly<Partial<Record<Family, FamilyReport>>>
}

/** The port: requests one family, and reports the result as `family.answered`. */
const probeFamily = port<FamilyAnswered, { readonly family: Family }>('probeFamily')

const noResponse = (deadline: number): FamilyReport => ({
  state: 'noResponse',
  ms: deadline,
  detail: `No response within ${Math.round(deadline / 1000)} s.`,
  facts: [],
})

/** Runs diagnostics of one host once. */
export const surveyMachine = setup({
  types: {
    context: {} as SurveyContext,
    events: {} as SurveyEvent,
    input: {} as { readonly deadline: number },
  },
  actors: { probeFamily },
  delays: { deadline: ({ context }) => context.deadline },
  guards: { isComplete: ({ context }) => FAMILIES.every(family => context.reports[family] !== undefined) },
  actions: {
    setReport: assign(({ context }, { family, report }: { family: Family; report: FamilyReport }) => ({
      reports: { ...context.reports, [family]: report },
    })),
    clearReports: assign({ reports: {} }),
    setTimeouts: assign(({ context: { deadline, reports } }) => ({
      reports: Object.fromEntries(
        FAMILIES.map(family => [family, reports[family] ?? noResponse(deadline)]),
      ) as SurveyContext['reports'],
    })),
  },
}).createMachine({
  id: 'survey',
  context: ({ input }) => ({ deadline: input.deadline, reports: {} }),
  initial: 'running',
  states: {
    running: {
      description: 'Requests all five families in parallel.',
      entry: 'clearReports',
      invoke: FAMILIES.map(family => ({ id: family, src: 'probeFamily' as const, input: { family } })),
      on: {
        'family.answered': {
          actions: {
            type: 'setReport',
            params: ({ event: { family, report } }) => ({ family, report }),
          },
        },
      },
      always: { guard: 'isComplete', target: 'complete' },
      after: { deadline: { target: 'timedOut', actions: 'setTimeouts' } },
    },
    complete: {
      description: 'Every family has responded, successfully or not.',
      on: { 'survey.retry': 'running' },
    },
    timedOut: {
      description: 'Time is up; families without a response count as not responding.',
      on: { 'survey.retry': 'running' },
    },
  },
})
