// Describes the results of a backend's diagnostics.
import type { ApiKey, SurveyState } from '../../../services/workbench/hosts/index.ts'
import { FAMILIES, type Family, type FamilyReport } from '../../../machines/index.ts'
import type { Tone } from '../../widgets/pill.tsx'
import { formatSpan } from '../../../services/workbench/text/index.ts'

export const FAMILY_NAMES: Readonly<Record<Family, string>> = {
  auth: 'Accounts',
  rest: 'Data',
  storage: 'Files',
  functions: 'Functions',
  realtime: 'Realtime',
}

export const STATES: Readonly<Record<FamilyReport['state'], { readonly word: string; readonly tone: Tone }>> =
  {
    ok: { word: 'OK', tone: 'ok' },
    closed: { word: 'closed', tone: 'pending' },
    absent: { word: 'not available', tone: 'stale' },
    unhealthy: { word: 'unhealthy', tone: 'fail' },
    noResponse: { word: 'unreachable', tone: 'fail' },
  }

/** Progress, then the overall result. */
export function summary({ phase, reports }: SurveyState): string {
  const families = FAMILIES.filter(family => reports[family] !== undefined)
  if (phase === 'running') return `${families.length} of ${FAMILIES.length} checked`
  const missing = FAMILIES.filter(family => !['ok', 'closed'].includes(reports[family]?.state ?? ''))
  if (missing.length === 0) return 'All services OK'
  if (missing.length === FAMILIES.length)
    return missing.some(family => reports[family]?.state === 'unhealthy')
      ? 'No service is healthy'
      : 'Backend unreachable'
  return `All OK except ${missing.map(family => FAMILY_NAMES[family]).join(', ')}`
}

/** Smaller differences count as in sync: a Date header has whole seconds. */
const AGREES_MS = 2_000

/** Difference between the backend's clock and this device's, from the fastest response. */
export function describeClock(reports: SurveyState['reports']): string {
  const found = FAMILIES.flatMap(family => reports[family] ?? [])
    .filter(({ skew }) => skew !== undefined)
    .toSorted((a, b) => a.ms - b.ms)
  const skew = found[0]?.skew
  if (skew === undefined) return 'Clock unknown until sign-in.'
  if (Math.abs(skew) < AGREES_MS) return 'This device’s clock is in sync with the backend.'
  const span = Math.abs(skew) < 60_000 ? `${Math.round(Math.abs(skew) / 1000)} s` : formatSpan(Math.abs(skew))
  return `This device’s clock is ${span} ${skew > 0 ? 'behind' : 'ahead of'} the backend’s. Chartroom corrects for it.`
}

/** Describes the kind of key and what it allows. */
export function describeKey({ kind, project, expiresAt }: ApiKey): readonly string[] {
  const what =
    kind === 'publishable'
      ? 'Publishable key.'
      : kind === 'anon'
        ? 'Anon key (a token with the role anon).'
        : 'Unknown kind of key.'
  return [
    what,
    'Signed out, requests run as the role anon; signed in, they run as you. RLS applies to both.',
    ...(project === undefined ? [] : [`Project: ${project}.`]),
    ...(expiresAt === undefined ? [] : [`Valid until ${new Date(expiresAt).toISOString().slice(0, 10)}.`]),
  ]
}
