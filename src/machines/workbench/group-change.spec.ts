import { specify, hasEnded } from '../specify.ts'
import { shared } from '../samples.ts'
import { groupChangeMachine } from './group-change.ts'

export const groupChangeSpec = specify(groupChangeMachine, {
  about:
    'One change of a group of reports: compared with what others wrote, saved, or taken back with a reason.',
  ports: {
    compareNotes: {
      about: 'Reads the notes again. They are too long for a condition of the request that saves them.',
      sends: {
        ...shared('port.broken'),
        'change.conflicted': [{}],
        'change.refused': [{ message: 'Not a member.' }],
        'notes.unchanged': [{}],
      },
      healthy: 'notes.unchanged',
      once: true,
    },
    saveChange: {
      about: 'Saves the change if the group still is as the member saw it.',
      sends: {
        ...shared('port.broken'),
        'change.conflicted': [{}],
        'change.refused': [{ message: 'Not a member.' }],
        'change.saved': [{}],
      },
      healthy: 'change.saved',
      once: true,
    },
  },
  events: { 'change.dismiss': [{}], 'groups.read': [{}] },
  ignored: [
    {
      event: 'groups.read',
      states: ['comparing', 'saving', 'invalid', 'conflicted', 'failed'],
      reason: 'Only a saved change is in the groups that were read.',
    },
    {
      event: 'change.dismiss',
      states: ['comparing', 'saving', 'saved'],
      reason: 'There is no failure to dismiss.',
    },
  ],
  inputs: [
    { field: 'notes' },
    { field: 'fixed' },
    { field: 'fixed', problem: 'Enter the first version without the failure.' },
  ],
  situation: ['failure'],
  settling: [{ type: 'groups.read' }, { type: 'change.dismiss' }],
  rests: hasEnded,
})
