import { specify } from '../specify.ts'
import { accountFailures, shared } from '../samples.ts'
import { newPasswordMachine } from './new-password.ts'

export const newPasswordSpec = specify(newPasswordMachine, {
  about: 'Setting a password, with a code by email if the sign-in is too old.',
  ports: {
    savePassword: {
      about: 'Sets the typed password, with the typed code if there is one.',
      sends: {
        ...shared('port.broken'),
        'password.refused': [
          ...accountFailures,
          { kind: 'auth', code: 'reauthentication_needed', message: 'Too old.' } as const,
        ].map(failure => ({ failure, at: 1 }) as const),
        'password.saved': [{}],
      },
      healthy: 'password.saved',
      once: true,
    },
    requestCode: {
      about: 'Has a code emailed to the user.',
      sends: {
        ...shared('port.broken'),
        'code.requested': [{}],
        'password.refused': [
          ...accountFailures,
          { kind: 'auth', code: 'reauthentication_needed', message: 'Too old.' } as const,
        ].map(failure => ({ failure, at: 1 }) as const),
      },
      healthy: 'code.requested',
      once: true,
    },
  },
  events: {
    'code.request': [0, 100_000].map(at => ({ at }) as const),
    'password.changed': [{}],
    'password.save': [0, 100_000].map(at => ({ at }) as const),
  },
  ignored: [
    {
      event: 'password.save',
      states: ['saving', 'requestingCode'],
      reason: 'One request at a time.',
    },
    { event: 'code.request', states: ['saving', 'requestingCode'], reason: 'One request at a time.' },
    {
      event: 'password.changed',
      states: ['entering', 'saving', 'requestingCode'],
      reason: 'No failure is shown.',
    },
  ],
  situation: ['failure', 'failedAt', 'needsCode'],
  settling: [{ type: 'password.changed' }],
  rests: snapshot => snapshot.matches('entering') || snapshot.matches('failed'),
  goal: snapshot => snapshot.matches('entering'),
})
