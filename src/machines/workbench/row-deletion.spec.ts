import { specify, hasEnded } from '../specify.ts'
import { shared } from '../samples.ts'
import { rowDeletionMachine } from './row-deletion.ts'

export const rowDeletionSpec = specify(rowDeletionMachine, {
  about: 'One deletion of rows: can be undone for a while, is then sent, and reports a refusal.',
  ports: {
    deleteRows: {
      about: 'Deletes the rows.',
      sends: {
        ...shared('port.broken'),
        'rows.deleted': [{}],
        'rows.refused': [{ message: 'A row policy forbids it.' }],
      },
      healthy: 'rows.deleted',
      once: true,
    },
  },
  events: { 'deletion.cancel': [{}], 'deletion.send': [{}] },
  ignored: [
    { event: 'deletion.send', states: ['sending'], reason: 'It is already being sent.' },
    {
      event: 'deletion.cancel',
      states: ['sending'],
      reason: 'A deletion that is being sent can’t be undone.',
    },
  ],
  inputs: [{ rows: 2, undo: 6_000 }],
  situation: ['refusal'],
  settling: [{ type: 'deletion.send' }],
  rests: hasEnded,
})
