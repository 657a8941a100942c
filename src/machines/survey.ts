// A look at a host: asks its five families at once and keeps what each answered, until all did or time is up.
import { assign, setup } from 'xstate'
import { port } from './port.ts'

export const FAMILIES = ['auth', 'rest', 'storage', 'functions', 'realtime'] as const
export type Family = (typeof FAMILIES)[number]

/** What a family answered. */
export interface FamilyReport {
  /** `closed`: it is there, and keeps what was asked for from this key. */
  readonly state: 'answers' | 'closed' | 'absent' | 'unwell' | 'silent'
  /** Milliseconds until it answered. */
  readonly ms: number
  readonly version?: string
  /** What came, and what to do about it where that is not well. */
  readonly detail: string
  /** What else it told. */
  readonly facts: readonly string[]
  /** How far the host's clock is ahead of this one, in milliseconds, where a page may read it. */
  readonly skew?: number
}

/** What the port tells. */
export interface FamilyAnswered {
  readonly type: 'family.answered'
  readonly family: Family
  readonly report: FamilyReport
}
export type SurveyEvent =
  | FamilyAnswered
  /** Asks all of them anew. */
  | { readonly type: 'survey.again' }

export interface SurveyContext {
  readonly deadline: number
  readonly reports: Readonly<Partial<Record<Family, FamilyReport>>>
}

/** The port: asks one family, and answers with `family.answered`. */
export const askFamily = port<FamilyAnswered, { readonly family: Family }>('askFamily')

const late = (deadline: number): FamilyReport => ({
  state: 'silent',
  ms: deadline,
  detail: `It did not answer within ${Math.round(deadline / 1000)} s.`,
  facts: [],
})

/** The machine of one look at one host. */
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
      description: 'All five are asked at once; none has to wait for another.',
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
      description: 'Each has answered, in whatever words.',
      on: { 'survey.again': 'asking' },
    },
    late: {
      description: 'Time is up; those that did not answer are silent.',
      on: { 'survey.again': 'asking' },
    },
  },
})
