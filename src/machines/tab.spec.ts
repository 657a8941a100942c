import { specify } from './specify.ts'
import { shared, renew, goodToken } from './samples.ts'
import { DEFAULT_TIMINGS as timings } from './timings.ts'
import { tabMachine } from './tab.ts'

export const tabSpec = specify(tabMachine, {
  about:
    'One tab among those that share a session: competes for leadership and announces the tokens it stores.',
  ports: {
    leadership: {
      about: 'Competes for leadership among the tabs of one session, and holds it until stopped.',
      sends: {
        ...shared('port.broken'),
        'leadership.gained': [{}],
        'leadership.lost': [{}],
        'leadership.unavailable': [{}],
      },
      healthy: 'leadership.gained',
    },
    tabs: {
      about: "Receives other tabs' changes to the stored session, and notifies them of this tab's.",
      sends: { ...shared('port.broken', 'stored.changed') },
    },
  },
  events: {
    ...shared(
      'environment.changed',
      'environment.woke',
      'realtime.wanted',
      'session.ended',
      'session.started',
      'token.adopted',
      'token.rotated',
    ),
  },
  ignored: [
    {
      event: 'environment.woke',
      states: ['frozen', 'awake.*'],
      reason: 'Leadership and tab messaging survive sleep; the refresh reads the storage.',
    },
    { event: 'token.adopted', states: ['frozen'], reason: 'Other tabs see the storage change.' },
    { event: 'token.rotated', states: ['frozen'], reason: 'Other tabs see the storage change.' },
    {
      event: 'port.broken',
      states: ['awake.idle', 'awake.yielded', 'awake.alone'],
      reason: 'Without tab messaging, each tab still reads the storage before it uses a refresh token.',
    },
    {
      event: 'leadership.lost',
      states: ['awake.competing.electing', 'awake.competing.follower'],
      reason: 'Only a leader can lose leadership.',
    },
  ],
  inputs: [{ timings }],
  situation: ['hasSession', 'visible', 'frozen', 'wanted'],
  settling: [goodToken],
  renew,
  rests: snapshot =>
    snapshot.matches({ awake: 'idle' }) ||
    snapshot.matches({ awake: 'alone' }) ||
    snapshot.matches({ awake: { competing: 'leader' } }) ||
    snapshot.matches({ awake: { competing: 'follower' } }),
  goal: snapshot => snapshot.matches({ awake: { competing: 'leader' } }),
})
