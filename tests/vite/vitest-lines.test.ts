// Source lines in an app's own tests: the plugin in the configuration of Vitest.
import { rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'
import { folderForTests, runVitest } from '../harness/child-vitest.ts'

test('recordings of tests have source lines', async () => {
  const folder = await folderForTests('vitest-lines')
  try {
    const file = `${relative(root, folder)}/lamp.ts`.replaceAll('\\', '/')
    const source = (path: string) => JSON.stringify(join(root, 'src', path))
    await writeFile(
      join(folder, 'vitest.config.ts'),
      `import { chartroomConsole } from ${source('public/devtools/vite.ts')}
       export default { plugins: [chartroomConsole()] }`,
    )
    await writeFile(
      join(folder, 'lamp.ts'),
      `import { createMachine } from 'xstate'
export const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: {},
  },
})`,
    )
    await writeFile(
      join(folder, 'lamp.test.ts'),
      `import { expect, test } from 'vitest'
       import { record } from ${source('public/devtools/recording.ts')}
       import ${source('public/devtools/vitest.ts')}
       import { lamp } from './lamp.ts'
       test('lines', () => {
         const recording = record(lamp)
         recording.start()
         expect(recording.trace.header.sources).toMatchObject({
           lamp: { files: [${JSON.stringify(file)}], machine: [2, 21], states: { off: [6, 5] } },
         })
       })`,
    )
    const { output, passed } = await runVitest(folder)
    expect(passed ? '' : output).toBe('')
  } finally {
    await rm(folder, { recursive: true })
  }
}, 60_000)
