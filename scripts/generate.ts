// The process of `ensureGenerated`.
import { writeFile } from 'node:fs/promises'
import { layoutsText } from './chart-layouts.ts'
import { schemasText } from './event-schemas.ts'
import { LAYOUTS, SCHEMAS } from './generated.ts'

await writeFile(SCHEMAS, schemasText())
await writeFile(LAYOUTS, await layoutsText())
