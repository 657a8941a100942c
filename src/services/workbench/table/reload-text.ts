// Why the rows of a table were read, as one short sentence.
import type { ReloadReason } from '../../../machines/workbench/table-rows.ts'
import { plural } from '../text/index.ts'

export const reloadText = (reason: ReloadReason): string => {
  switch (reason.kind) {
    case 'query':
      return 'The table was opened, or its filters or sort changed.'
    case 'user':
      return 'You refreshed the rows.'
    case 'changes':
      return `${plural(reason.count, 'live change')}.`
    case 'written':
      return 'Your change was saved.'
    case 'deletion':
      return 'Your deletion ended.'
    case 'import':
      return 'Your import ended.'
    case 'conflict':
      return 'You took the value of another user.'
    case 'live':
      return 'Changes may have been missed before live updates began.'
    case 'gap':
      return 'The connection to live changes was interrupted.'
    case 'recovered':
      return 'The backend responds again.'
    case 'retry':
      return 'The last attempt failed and was retried.'
  }
}
