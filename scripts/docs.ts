// `npm run docs`: regenerates the parts of documents that come from the sources.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { API_PAGE, apiPage } from './api-docs.ts'
import { makePage, PAGES } from './guide-parts.ts'
import { machinePages } from './machine-docs/pages.ts'
import { root } from './tool.ts'

for (const page of PAGES) await writeFile(join(root, page), await makePage(page))
await writeFile(join(root, API_PAGE), await apiPage())

const dir = join(root, 'docs/machines')
const pages = await machinePages()
await mkdir(dir, { recursive: true })
for (const name of await readdir(dir)) if (!pages.has(name)) await rm(join(dir, name))
for (const [name, text] of pages) await writeFile(join(dir, name), text)
