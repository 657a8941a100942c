// `npm start`: serves the app and its embedded backend at one address until Ctrl-C.
import { createStartCommand } from '../src/cli/start/start-command.ts'
import { appDir, ensureApp } from './app-build.ts'

const start = createStartCommand({
  program: 'npm start --',
  usage: '[flags]',
  appDir,
  build: signal => ensureApp(signal),
})
process.exit(await start(process.argv.slice(2)))
