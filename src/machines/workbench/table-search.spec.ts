import { hasEnded, specify } from '../specify.ts'
import { tableSearchMachine } from './table-search.ts'

export const tableSearchSpec = specify(tableSearchMachine, {
  about: 'One search for the tables of a backend that lists none: asks for names until no new one is left.',
  ports: {
    askForTable: {
      about: 'Asks for one table by name.',
      sends: {
        'table.answered': [{ tables: [] }, { tables: ['users'] }, { tables: ['order_items'] }],
        'table.unanswered': [{ message: 'The backend does not respond.' }],
      },
      healthy: 'table.answered',
    },
  },
  events: { 'search.cancel': [{}], 'search.retry': [{}] },
  ignored: [
    { event: 'search.retry', states: ['asking'], reason: 'The search is running.' },
    { event: 'search.cancel', states: ['canceled'], reason: 'It is canceled.' },
  ],
  inputs: [{ names: [] }, { names: ['users', 'orders', 'users'] }],
  situation: ({ tables, names }) => [tables.length, names.length],
  settling: [{ type: 'search.retry' }],
  rests: hasEnded,
})
