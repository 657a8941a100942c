// The problem with which a recording ends, and the title of a test that is made of it.
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { record } from '../../../src/services/recording/index.ts'
import { explainEnd } from '../../../src/trace/explain/explain-more.ts'
import { testTitle } from '../../../src/trace/index.ts'
import { recordedKettle } from '../../harness/kettle.ts'
import { answers, limited, refused, renewals, stored } from '../../harness/timeline.ts'
import { both, clientTrace, request, sends, wait } from './corpus/situation.ts'

const live = stored(3_000)

test.each([
  [
    'a session that the server ended',
    [stored(-5), renewals(refused('user_banned'))],
    wait(2_000),
    /signed out because/,
  ],
  [
    'a backend that is down',
    [live, answers(503)],
    both(wait(10), request(), wait(20_000)),
    /\/rest\/v1\/vessels failed/,
  ],
  [
    'a token that cannot be refreshed',
    [stored(-5), renewals(limited(30))],
    wait(100),
    /not refreshed yet because/,
  ],
])('names %s', (_, worlds, play, sentence) => {
  const trace = clientTrace(worlds, play)
  expect(explainEnd(trace)?.sentence).toMatch(sentence)
  expect(testTitle(trace)).toMatch(/^chartroom: .*[^.]$/)
})

test.each([
  ['a fresh session', [live], wait(1_000)],
  ['there was no sign-in', [], wait(1_000)],
  [
    'a request that was repeated with a new token',
    [live, answers(401, 200)],
    both(wait(10), request(), wait(1_000)),
  ],
  [
    'the user signed out',
    [live],
    both(wait(10), sends({ type: 'session.signOut', attempt: 'o', scope: 'local' }), wait(100)),
  ],
])('names no problem: %s', (_, worlds, play) => {
  expect(explainEnd(clientTrace(worlds, play))).toBeUndefined()
})

test('of other systems, only a failure is a problem, and a title lists events', async () => {
  const kettle = await recordedKettle()
  expect(explainEnd(kettle)).toBeUndefined()
  expect(testTitle(kettle)).toBe('kettle: fill, stop, heat')
  const failing = createMachine({
    id: 'failing',
    entry: () => {
      throw new Error('No water.')
    },
  })
  const { actor, trace } = record(failing)
  actor.subscribe({ error: () => undefined })
  actor.start()
  expect(explainEnd(trace)?.sentence).toContain('failed')
})
