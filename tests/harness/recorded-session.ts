// A recorded session of five seconds: a wrong password, a sign-in, a request that is sent twice, a channel with
// messages, and a sign-out.
import type { ReplayableTrace } from '../../src/trace/format/trace-source.ts'
import type { Mutant } from './mutants.ts'
import { recordedClient } from './recorded-run.ts'
import { token } from './scripted-ports.ts'

const request = (id: string, method: string, path: string) => ({
  type: 'request.start' as const,
  info: { id, family: 'rest' as const, method, path, access: 'user' as const },
})

/** On scripted ports and a virtual clock. */
export function fiveSeconds(mutant?: Mutant): ReplayableTrace {
  const { recorder, clock, send } = recordedClient(
    clock => ({
      authenticate: n =>
        n === 1
          ? [[20, { type: 'auth.failed', failure: { kind: 'auth', status: 400, message: 'Wrong password' } }]]
          : [[20, { type: 'auth.succeeded', token: token(clock, n) }]],
      send: n =>
        n === 1
          ? [
              [
                15,
                { type: 'send.failed', failure: { kind: 'network', message: 'The server is unreachable.' } },
              ],
            ]
          : [[15, { type: 'send.answered', status: 200 }]],
      topic: () => [
        [5, { type: 'topic.joined' }],
        ...[300, 700, 1000, 1300].map(
          (after, n) =>
            [after, { type: 'broadcast.received', event: 'moored', payload: { berth: n + 1 } }] as const,
        ),
      ],
      command: command => (command.id === undefined ? [] : [[3, { type: 'push.settled', id: command.id }]]),
    }),
    1,
    mutant,
  )
  clock.advance(400)
  send({ type: 'session.signIn', attempt: 'first', method: 'password' })
  clock.advance(300)
  send({ type: 'session.signIn', attempt: 'second', method: 'password' })
  clock.advance(600)
  send(request('r1', 'GET', '/rest/v1/vessels?select=*'))
  clock.advance(800)
  send({ type: 'channel.join', topic: 'harbour', use: 'page', options: {} })
  clock.advance(1200)
  send({
    type: 'channel.command',
    topic: 'harbour',
    command: { type: 'broadcast.send', id: 'b1', event: 'hail', payload: { from: 'skipper' } },
  })
  clock.advance(500)
  send({ type: 'session.signOut', attempt: 'last', scope: 'local' })
  clock.advance(600)
  return recorder.trace
}

/** The client of a signed-in user: a table is read twice, its changes are live, a call fails. */
export function atWork(): ReplayableTrace {
  const { recorder, clock, send } = recordedClient(clock => ({
    readSession: (_, input) => [
      [
        1,
        input?.tokenId === undefined
          ? { type: 'stored.found', token: token(clock) }
          : { type: 'stored.same' },
      ],
    ],
    send: n => [[15, { type: 'send.answered', status: n === 3 ? 404 : 200 }]],
  }))
  clock.advance(40)
  send(request('r1', 'GET', '/rest/v1/vessels?select=*'))
  clock.advance(5)
  send({
    type: 'channel.join',
    topic: 'changes',
    use: 'page',
    options: { postgresChanges: [{ event: '*', schema: 'public', table: 'vessels' }] },
  })
  clock.advance(300)
  send(request('r2', 'GET', '/rest/v1/vessels?select=*&order=name.asc'))
  clock.advance(200)
  send(request('r3', 'GET', '/rest/v1/vesels?select=*'))
  clock.advance(400)
  return recorder.trace
}
