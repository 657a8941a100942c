// Runs `runtime.ts` as a program, which exits when nothing is left to do. Reads the backend from the environment;
// prints one JSON line.
import process from 'node:process'
import { tryClient } from './runtime.ts'

const { BACKEND_URL: url = '', BACKEND_KEY: key = '' } = process.env
console.log(JSON.stringify(await tryClient({ url, key })))
