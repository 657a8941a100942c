// Presence joins and leaves: reported once each, whatever happened to the connection in between.
import { expect, test } from 'vitest'
import { presenceDiff } from '../../../src/services/client/realtime/realtime-over.ts'

const meta = (name: string, presence_ref: string) => ({ name, presence_ref })
const mate = [meta('mate', 'r1')]

test.each([
  ['no user before, no user now', {}, {}, [], []],
  ['one joins', {}, { mate }, [{ key: 'mate', metas: mate, present: mate }], []],
  ['one leaves', { mate }, {}, [], [{ key: 'mate', metas: mate, present: [] }]],
  ['the same with another reference, as after a join', { mate }, { mate: [meta('mate', 'r2')] }, [], []],
  [
    'a second tab',
    { mate },
    { mate: [...mate, meta('mate', 'r2')] },
    [{ key: 'mate', metas: [meta('mate', 'r2')], present: [...mate, meta('mate', 'r2')] }],
    [],
  ],
  [
    'one of two tabs leaves',
    { mate: [...mate, meta('mate', 'r2')] },
    { mate },
    [],
    [{ key: 'mate', metas: [meta('mate', 'r2')], present: mate }],
  ],
  [
    'another meta leaves and joins',
    { mate },
    { mate: [meta('first mate', 'r2')] },
    [{ key: 'mate', metas: [meta('first mate', 'r2')], present: [meta('first mate', 'r2')] }],
    [{ key: 'mate', metas: mate, present: [meta('first mate', 'r2')] }],
  ],
  [
    'a key named like an Object property',
    {},
    { constructor: mate },
    [{ key: 'constructor', metas: mate, present: mate }],
    [],
  ],
])('%s', (_, before, now, joins, leaves) => {
  expect(presenceDiff(before, now)).toEqual({ joins, leaves })
})
