// Types of the embedded backend: valid options and fault plans, and what the compiler must reject.
import { expectTypeOf, test } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../backend/index.ts'
import type { FaultHit, FaultPlan } from '../../backend/faults/index.ts'

declare const backend: Backend

test('only known options are accepted', () => {
  expectTypeOf(startBackend).parameter(0).toEqualTypeOf<BackendOptions>()
  expectTypeOf(startBackend).returns.resolves.toEqualTypeOf<Backend>()
  expectTypeOf<BackendOptions['data']>().toEqualTypeOf<'memory' | { readonly dir: string }>()
  expectTypeOf<BackendOptions['keys']>().toEqualTypeOf<'own' | 'cli' | undefined>()
  // @ts-expect-error `data` is required
  void startBackend({})
  // @ts-expect-error a setting of auth that does not exist
  void startBackend({ data: 'memory', auth: { enableTeleport: true } })
})

test('a fault plan is typed by services, events and actions', () => {
  const plan: FaultPlan = {
    seed: 7,
    faults: [
      { when: { family: 'auth', path: '/auth/v1/token', nth: 2 }, do: { status: 429, retryAfter: 3 } },
    ],
  }
  expectTypeOf(backend.faults.replace).toBeCallableWith(plan)
  // @ts-expect-error no such family
  backend.faults.add({ when: { family: 'mail' }, do: { delay: 10 } })
  // @ts-expect-error no such event on a socket
  backend.faults.add({ when: { event: 'frame.sideways' }, do: { drop: true } })
  expectTypeOf(backend.faults.nextHit).returns.resolves.toEqualTypeOf<FaultHit>()
})

test('emails are read by address', () => {
  expectTypeOf(backend.inbox.next).parameter(0).toEqualTypeOf<string | undefined>()
  expectTypeOf(backend.databaseUrl).toEqualTypeOf<string | undefined>()
})
