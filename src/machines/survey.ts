// Diagnostics of a host: requests its five families at once and collects the results, until all responded or
// time is up.
import { assign, setup } from 'xstate'
import { port } from './port.ts'

export const FAMILIES = ['auth', 'rest', 'storage', 'functions', 'realtime'] as const
export type Family = (typeof FAMILIES)[number]

/** The result for one family. */
export interface FamilyReport {
  /** `closed`: the family exists, but this API key has no access. */
  readonly state: 'answers' | 'closed' | 'absent' | 'unwell' | 'silent'
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
  | { readonly type: 'survey.again' }

export interface SurveyContext {
  readonly deadline: number
  readonly reports: Readonly<Partial<Record<Family, FamilyReport>>>
}

/** The port: requests one family, and reports the result as `family.answered`. */
export const askFamily = port<FamilyAnswered, { readonly family: Family }>('askFamily')

const late = (deadline: number): FamilyReport => ({
  state: 'silent',
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
  actors: { askFamily },
  delays: { deadline: ({ context }) => context.deadline },
  guards: { isComplete: ({ context }) => FAMILIES.every(family => context.reports[family] !== undefined) },
  actions: {
    keepReport: assign(({ context }, { family, report }: { family: Family; report: FamilyReport }) => ({
      reports: { ...context.reports, [family]: report },
    })),
    forgetReports: assign({ reports: {} }),
    keepSilence: assign(({ context: { deadline, reports } }) => ({
      reports: Object.fromEntries(
        FAMILIES.map(family => [family, reports[family] ?? late(deadline)]),
      ) as SurveyContext['reports'],
    })),
  },
}).createMachine({
  id: 'survey',
  context: ({ input }) => ({ deadline: input.deadline, reports: {} }),
  initial: 'asking',
  states: {
    asking: {
      description: 'Requests all five families in parallel.',
      entry: 'forgetReports',
      invoke: FAMILIES.map(family => ({ id: family, src: 'askFamily' as const, input: { family } })),
      on: {
        'family.answered': {
          actions: {
            type: 'keepReport',
            params: ({ event: { family, report } }) => ({ family, report }),
          },
        },
      },
      always: { guard: 'isComplete', target: 'complete' },
      after: { deadline: { target: 'late', actions: 'keepSilence' } },
    },
    complete: {
      description: 'Every family has responded, successfully or not.',
      on: { 'survey.again': 'asking' },
    },
    late: {
      description: 'Time is up; families without a response count as not responding.',
      on: { 'survey.again': 'asking' },
    },
  },
})
