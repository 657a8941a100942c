// Changes of machines as text.
import { expect, test } from 'vitest'
import { type ChartChange, describeChange } from '../../src/trace/index.ts'

const rest = { machine: 'lamp', name: 'lit#0', event: 'after rest', targets: ['dark'], actions: [] }

test.each<[Partial<ChartChange>, string]>([
  [
    { was: { ...rest, delay: 60 }, is: { ...rest, delay: 10 }, parts: ['delay'] },
    'delay of a transition: was lit#0 after rest → dark, 60 ms, is lit#0 after rest → dark, 10 ms',
  ],
  [
    {
      was: { ...rest, event: 'after 60', delay: 60 },
      is: { ...rest, event: 'after 10', delay: 10 },
      parts: ['delay'],
    },
    'delay of a transition: was lit#0 after 60 → dark, is lit#0 after 10 → dark',
  ],
  [
    { was: rest, is: { ...rest, reenter: true }, parts: ['reenter'] },
    'reenter of a transition: was lit#0 after rest → dark, not re-entering, is lit#0 after rest → dark, re-entering',
  ],
  [{ was: rest }, 'transition removed: lit#0 after rest → dark'],
  [{ is: rest }, 'transition added: lit#0 after rest → dark'],
])('%j', (change, text) => {
  expect(describeChange({ machine: 'lamp', state: 'lit', what: 'transition', ...change })).toBe(
    `lamp lit: ${text}`,
  )
})
