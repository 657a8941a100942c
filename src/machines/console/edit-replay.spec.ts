import { specify } from '../specify.ts'
import { editReplayMachine, type SavedModule } from './edit-replay.ts'

const heldModule: SavedModule = { file: 'lamp.ts', url: '/lamp.ts?t=2', liveUrl: '/lamp.ts', isHeld: true }
const refused = {
  'edit.refused': [
    { message: 'The module throws while it loads: no such state.', needsUpdate: false },
    { message: 'The module also exports format.', needsUpdate: true },
  ],
}
const progressed = { 'drive.progressed': [{ progress: { count: 500, total: 1_000 } }] }

export const editReplaySpec = specify(editReplayMachine, {
  about:
    'Edit and replay: a saved module with machines waits for its verdict, and is applied or updated as usual.',
  ports: {
    loadEdit: {
      about: 'Imports the new version, and captures the recordings of the systems that use it.',
      sends: { 'edit.loaded': [{ concerned: 1 }, { concerned: 0 }], ...refused },
      healthy: 'edit.loaded',
      once: true,
    },
    driveEdit: {
      about: 'Drives the recordings through the new machines, in slices between which the page goes on.',
      sends: { 'drive.finished': [{}], ...progressed, ...refused },
      healthy: 'drive.finished',
      once: true,
      progress: ['drive.progressed'],
    },
    applyEdit: {
      about: 'Replaces the contents of the machines, and puts their actors into the driven state.',
      sends: { 'edit.applied': [{}], ...progressed, ...refused },
      healthy: 'edit.applied',
      once: true,
      progress: ['drive.progressed'],
    },
    requestUpdate: {
      about: 'Lets the development server update the module as usual.',
      sends: { 'update.sent': [{}] },
      healthy: 'update.sent',
      once: true,
    },
  },
  events: {
    'module.saved': [{ saved: heldModule }, { saved: { ...heldModule, isHeld: false } }],
    'apply.requested': [{}],
    'update.requested': [{}],
    'edit.dismissed': [{}],
  },
  ignored: [
    {
      event: 'apply.requested',
      states: ['idle', 'loading', 'driving', 'applying', 'applied', 'refused', 'updating'],
      reason: 'There is no verdict, or it is applied.',
    },
    {
      event: 'update.requested',
      states: ['idle', 'applying', 'applied', 'updating'],
      reason: 'Nothing waits.',
    },
    {
      event: 'edit.dismissed',
      states: ['idle', 'loading', 'driving', 'applying', 'updating'],
      reason: 'Nothing is shown, or it goes on.',
    },
  ],
  situation: ({ saved }) => saved.isHeld,
  rests: snapshot =>
    ['idle', 'judged', 'applied', 'refused'].some(state => snapshot.matches(state as 'idle')),
})
