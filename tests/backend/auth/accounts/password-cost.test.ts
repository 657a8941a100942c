// The bcrypt cost of passwords: ten by default, and the same for users that do not exist.
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../../../backend/auth/accounts/passwords.ts'
import { authSettings } from '../../../../backend/auth/index.ts'

const url = 'http://127.0.0.1'

test('the default cost is ten', async () => {
  const defaults = authSettings({}, { url })
  const hashed = await hashPassword(defaults, 'ahoy there')
  expect(hashed).toMatch(/^\$2b\$10\$/)
  expect(await verifyPassword(defaults, 'ahoy there', hashed)).toBe(true)
  expect(await verifyPassword(defaults, 'ahoy where', hashed)).toBe(false)
})

test('a backend can use a lower cost', async () => {
  const cheap = authSettings({ passwordCost: 4 }, { url })
  const hashed = await hashPassword(cheap, 'ahoy there')
  expect(hashed).toMatch(/^\$2b\$04\$/)
  expect(await verifyPassword(cheap, 'ahoy there', hashed)).toBe(true)
})

test.each([3, 15, 9.5, NaN])('rejects %d', passwordCost => {
  const message = `passwordCost must be a whole number from 4 to 14, not ${passwordCost}.`
  expect(() => authSettings({ passwordCost }, { url })).toThrow(new RangeError(message))
})

test.each([undefined, null, 'no hash at all'])(
  'comparing with %s takes as long as a wrong password',
  async stored => {
    /** The minimum of three measurements, since other programs use the processor too. */
    const millisecondsAt = async (passwordCost: number) => {
      const times: number[] = []
      for (let run = 0; run < 3; run++) {
        const from = performance.now()
        expect(await verifyPassword({ passwordCost }, 'ahoy there', stored)).toBe(false)
        times.push(performance.now() - from)
      }
      return Math.min(...times)
    }
    // Each step doubles the time, so four steps multiply it by sixteen.
    expect(await millisecondsAt(10)).toBeGreaterThan(4 * (await millisecondsAt(6)))
  },
)
