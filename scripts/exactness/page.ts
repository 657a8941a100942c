// What a page of Chromium runs: records and replays systems for the script.
import { recordSystems, replaySystems } from './systems.ts'

Object.assign(globalThis, { recordSystems, replaySystems })
