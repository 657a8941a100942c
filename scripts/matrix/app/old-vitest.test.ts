// What importing `@chartroom/devtools/vitest` says where Vitest is too old.
import { expect, test } from 'vitest'

test('the error names the version that is needed', async () => {
  // Its types are those of a newer Vitest.
  const entry: string = '@chartroom/devtools/vitest'
  await expect(import(/* @vite-ignore */ entry)).rejects.toThrow(/needs Vitest 5 or newer, but version \d/)
})
