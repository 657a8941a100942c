// Links to source lines: opened below the root of the page's own server, or copied.
import { toast } from 'sonner'
import { beforeEach, expect, test, vi } from 'vitest'
import { goToSource } from '../../../../src/ui/console/source/editor.ts'
import { offerEditor } from '../../../../src/ui/console/source/editor-access.ts'

const copied: string[] = []
beforeEach(() => {
  copied.length = 0
  vi.stubGlobal('navigator', {
    clipboard: { writeText: async (text: string) => void copied.push(text) },
  })
})

const position = { file: 'src/lamp.ts', line: 8, column: 13 }

test('without a server the position is copied', async () => {
  await goToSource(position)
  expect(copied).toEqual(['src/lamp.ts:8:13'])
})

test('with a server the file is opened below its root', async () => {
  const opened: string[] = []
  offerEditor({ root: '/home/me/app/', open: async file => void opened.push(file) })
  await goToSource(position)
  expect([opened, copied]).toEqual([['/home/me/app/src/lamp.ts:8:13'], []])
})

test.each(['../../etc/passwd', '/etc/passwd', 'C:/a.ts'])('a recording cannot open %s', async file => {
  const opened: string[] = []
  offerEditor({ root: '/home/me/app', open: async one => void opened.push(one) })
  await goToSource({ ...position, file })
  expect([opened, copied]).toEqual([[], [`${file}:8:13`]])
})

test('a failure is reported with the position', async () => {
  const failed = vi.spyOn(toast, 'error').mockReturnValue('')
  offerEditor({ root: '/app', open: async () => Promise.reject(new Error('the server answered with 500')) })
  await goToSource(position)
  expect(failed).toHaveBeenCalledWith('src/lamp.ts:8:13 could not be opened: the server answered with 500')
})
