// The specification of the checkout: what can happen to it, what it ignores and why, and where it may end.
import { specify } from '@chartroom/devtools/testing'
import { checkout } from './checkout.ts'

export const checkoutSpec = specify(checkout, {
  about: 'One order: filled, then paid by card, or expired.',
  ports: {
    charge: {
      about: 'Charges the card.',
      outputs: ['receipt over 42'],
      errors: [new Error('The card was refused')],
    },
  },
  events: {
    // Prices with which the guard of `pay` passes and fails.
    add: [{ price: 42 }, { price: 0 }],
    pay: [{}],
    retry: [{}],
  },
  ignored: [
    {
      event: 'add',
      states: ['paying', 'refused', 'expired'],
      reason: 'The payment is for the requested amount.',
    },
    {
      event: 'pay',
      states: ['paying', 'refused', 'expired'],
      reason: 'An order is paid once; `retry` pays again.',
    },
    { event: 'retry', states: ['shopping', 'paying', 'expired'], reason: 'No payment was refused.' },
  ],
  situation: ['total'],
  settling: [{ type: 'add', price: 42 }, { type: 'pay' }],
  rests: snapshot => snapshot.matches('paid') || snapshot.matches('expired'),
})
