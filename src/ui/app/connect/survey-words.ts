// What a look at a host found, in words.
import type { ApiKey } from '../../../probe.ts'
import { FAMILIES, type Family, type FamilyReport, type SurveyState } from '../../../survey.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { formatSpan } from '../format.ts'

export const FAMILY_NAMES: Readonly<Record<Family, string>> = {
  auth: 'Accounts',
  rest: 'Data',
  storage: 'Files',
  functions: 'Functions',
  realtime: 'Realtime',
}

export const STATES: Readonly<Record<FamilyReport['state'], { readonly word: string; readonly tone: Tone }>> =
  {
    answers: { word: 'answers', tone: 'ok' },
    closed: { word: 'closed', tone: 'pending' },
    absent: { word: 'not there', tone: 'stale' },
    unwell: { word: 'unwell', tone: 'fail' },
    silent: { word: 'silent', tone: 'fail' },
  }

/** How far the look is, and what it came to. */
export function summary({ phase, reports }: SurveyState): string {
  const told = FAMILIES.filter(family => reports[family] !== undefined)
  if (phase === 'asking') return `${told.length} of ${FAMILIES.length} have answered`
  const missing = FAMILIES.filter(family => !['answers', 'closed'].includes(reports[family]?.state ?? ''))
  if (missing.length === 0) return 'All five answer'
  if (missing.length === FAMILIES.length)
    return missing.some(family => reports[family]?.state === 'unwell') ? 'None is well' : 'Nothing answers'
  return `All but ${missing.map(family => FAMILY_NAMES[family]).join(', ')}`
}

/** Below this the clocks agree, as far as a header of whole seconds can tell. */
const AGREES_MS = 2_000

/** The host's clock beside this one, from the answer that came fastest. */
export function clockWords(reports: SurveyState['reports']): string {
  const told = FAMILIES.flatMap(family => reports[family] ?? [])
    .filter(({ skew }) => skew !== undefined)
    .toSorted((a, b) => a.ms - b.ms)
  const skew = told[0]?.skew
  if (skew === undefined) return 'The host keeps its clock from pages; it is measured when you sign in.'
  if (Math.abs(skew) < AGREES_MS) return 'This device’s clock agrees with the host’s.'
  const span = Math.abs(skew) < 60_000 ? `${Math.round(Math.abs(skew) / 1000)} s` : formatSpan(Math.abs(skew))
  return `This device’s clock is ${span} ${skew > 0 ? 'behind' : 'ahead of'} the host’s. Chartroom reckons with it.`
}

/** What the key is and may do. */
export function keyWords({ kind, project, expiresAt }: ApiKey): readonly string[] {
  const what =
    kind === 'publishable'
      ? 'A publishable key.'
      : kind === 'anon'
        ? 'An anon key (a token with the role anon).'
        : 'A key of a kind that Chartroom does not know.'
  return [
    what,
    'Alone it acts as the role anon; once you sign in, everything is asked as you. Row policies decide in both cases.',
    ...(project === undefined ? [] : [`It is of the project ${project}.`]),
    ...(expiresAt === undefined ? [] : [`It holds until ${new Date(expiresAt).toISOString().slice(0, 10)}.`]),
  ]
}
