import { specify, fields } from './specify.ts'
import { CALLS, shared, renew, goodToken, ignoresCalls } from './samples.ts'
import { DEFAULT_TIMINGS as timings } from './timings.ts'
import { apiKeyMachine } from './api-key.ts'

export const apiKeySpec = specify(apiKeyMachine, {
  about:
    'The API key: doubted when a request is refused for it, confirmed by a check, and checked again when the user returns or enters another.',
  ports: {
    checkKey: {
      about: 'Asks each of these services with the API key alone; those that do not respond are left out.',
      sends: {
        ...shared('port.broken', ...CALLS),
        'key.checked': [
          // Every service, since any may have refused the key before.
          {
            results: (['auth', 'rest', 'storage', 'functions', 'realtime'] as const).map(family => ({
              family,
            })),
          },
          { results: [{ family: 'auth', refusal: 'keyRejected' }, { family: 'rest' }] },
        ],
      },
      healthy: 'key.checked',
      progress: CALLS,
    },
  },
  events: {
    ...shared(
      'environment.changed',
      'environment.woke',
      'key.accepted',
      'key.check',
      'key.refused',
      'key.replaced',
    ),
  },
  ignored: [
    ...ignoresCalls,
    {
      event: 'environment.woke',
      states: ['accepted', 'checking', 'trusted', 'rejected.resting', 'rejected.rechecking'],
      reason: 'No check of a rejected key is due.',
    },
    {
      event: 'key.accepted',
      states: ['accepted', 'checking', 'trusted', 'rejected.resting', 'rejected.rechecking'],
      reason: 'A check decides, or has just decided; the request may be older.',
    },
    { event: 'key.check', states: ['checking'], reason: 'A check is already running.' },
  ],
  inputs: [{ timings }],
  situation: context => [...fields(context, 'online', 'visible', 'frozen'), Object.keys(context.refused)],
  settling: [goodToken, { type: 'key.check' }],
  renew,
  rests: snapshot => snapshot.matches('accepted') || snapshot.matches('trusted'),
  goal: snapshot =>
    snapshot.matches('accepted') || snapshot.matches('trusted') || snapshot.matches('rejected'),
})
