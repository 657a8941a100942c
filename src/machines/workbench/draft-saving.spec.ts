import { shared } from '../samples.ts'
import { specify } from '../specify.ts'
import { draftSavingMachine } from './draft-saving.ts'

export const draftSavingSpec = specify(draftSavingMachine, {
  about: 'Saving of the drafts of one table: at once when one is added, a moment later when one is gone.',
  ports: {
    saveDrafts: {
      about: 'Stores the current drafts in the browser.',
      sends: {
        ...shared('port.broken'),
        'drafts.saved': [{ count: 0 }, { count: 3 }],
        'drafts.full': [{}],
      },
      healthy: 'drafts.saved',
      once: true,
    },
  },
  events: { 'drafts.changed': [{ count: 0 }, { count: 1 }, { count: 4 }] },
  situation: ({ stored }) => stored,
  settling: [{ type: 'drafts.changed', count: 0 }],
  rests: snapshot => snapshot.matches('stored'),
})
