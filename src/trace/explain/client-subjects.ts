// Names of the client's actors for people: a request by its method and path, a channel, an upload, an edit.
import { at, textAt } from '../event-values.ts'
import { idOfSegment } from '../format/actor-path.ts'
import type { StepRecord } from '../format/records.ts'
import type { History } from './history.ts'
import { quoted, upperFirst } from './words.ts'

const SUBJECTS: Readonly<Record<string, string>> = {
  client: 'the client',
  session: 'the session',
  refresh: 'the refresh of the token',
  attempt: 'the refresh of the token',
  tab: 'this tab',
  apiKey: 'the API key',
  requests: 'the queue of requests',
  realtime: 'realtime',
  connection: 'the realtime connection',
  uploads: 'the list of uploads',
  rowEdits: 'sending of edits',
  rowDeletion: 'the deletion',
  rowImport: 'the import',
  rowExport: 'the export',
  rowComparison: 'the comparison',
  accessReview: 'the access review',
  functionCall: 'the function call',
  fileJob: 'the work on files',
  tableRows: 'the table',
  signIn: 'the sign-in form',
}

/** Method and path of a request, without its query, which may contain values of users. */
export function requestOf(
  history: History,
  step: StepRecord,
): { readonly method: string; readonly path: string } | undefined {
  const info = at(history.startOf(step.actor)?.event, 'input', 'info')
  const [method, path] = [textAt(info, 'method'), textAt(info, 'path')]
  return method === undefined || path === undefined ? undefined : { method, path: withoutQuery(path) }
}

export const withoutQuery = (path: string): string => path.split(/[?#]/, 1)[0] ?? ''

/** The subject of a sentence about an actor, with a capital letter. */
export function subjectOf(history: History, step: StepRecord): string {
  return upperFirst(nameOf(history, step))
}

/** The same in the middle of a sentence. */
export function nameOf(history: History, step: StepRecord): string {
  const src = history.src(step)
  switch (src) {
    case 'request': {
      const request = requestOf(history, step)
      return request ? `${request.method} ${request.path}` : `request ${idIn(history, step)}`
    }
    case 'channel':
      return `the channel ${quoted(idIn(history, step))}`
    case 'upload': {
      const path = textAt(step.context, 'path') ?? textAt(step.context, 'info', 'path')
      return `the upload of ${path?.split('/').at(-1) ?? idIn(history, step)}`
    }
    case 'rowEdit': {
      const columns = at(step.context, 'columns')
      return Array.isArray(columns) && columns.length > 0
        ? `the edit of ${columns.slice(0, 3).join(', ')}`
        : 'the edit'
    }
    default:
      return (Object.hasOwn(SUBJECTS, src) ? SUBJECTS[src] : undefined) ?? quoted(shortName(history, step))
  }
}

/** The actor's id without the name of its machine: `7` of `request.7`. */
function idIn(history: History, step: StepRecord): string {
  const segment = idOfSegment(shortName(history, step))
  return segment.slice(segment.indexOf('.') + 1)
}

/** The last segment of the path, without its ordinal. */
export const shortName = (history: History, step: Pick<StepRecord, 'actor'>): string =>
  (history.path(step).split('/').at(-1) ?? '').replace(/#\d+$/, '')
