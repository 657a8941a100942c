import { specify } from '../specify.ts'
import { FAMILIES, type FamilyReport, surveyMachine } from './survey.ts'

const report: FamilyReport = { state: 'ok', ms: 12, detail: 'OK', facts: [] }

export const surveySpec = specify(surveyMachine, {
  about: 'One check of a host: tests its five services until all have answered or time is up.',
  ports: {
    probeFamily: {
      about: 'Requests one family, and reports the result as `family.answered`.',
      sends: { 'family.answered': FAMILIES.map(family => ({ family, report }) as const) },
      healthy: 'family.answered',
    },
  },
  events: { 'survey.retry': [{}] },
  ignored: [{ event: 'survey.retry', states: ['running'], reason: 'The check is already running.' }],
  inputs: [{ deadline: 8_000 }],
  situation: ({ reports }) => Object.keys(reports).toSorted(),
  rests: snapshot => snapshot.matches('complete') || snapshot.matches('timedOut'),
  goal: snapshot => snapshot.matches('complete'),
})
