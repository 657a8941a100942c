// `npm run guide`: makes the parts of the guide anew that come from the sources.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePage, PAGES } from './guide-parts.ts'
import { root } from './tool.ts'

for (const page of PAGES) await writeFile(join(root, page), await makePage(page))
