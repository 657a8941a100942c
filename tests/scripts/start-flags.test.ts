// The flags of `npm start`.
import { describe, expect, test } from 'vitest'
import { parseStartFlags } from '../../scripts/start-flags.ts'

describe('valid flags', () => {
  test.each([
    { args: [], flags: { port: 4400, data: { dir: '.chartroom' } } },
    { args: ['--port', '0'], flags: { port: 0, data: { dir: '.chartroom' } } },
    { args: ['--port=65535', '--memory'], flags: { port: 65535, data: 'memory' } },
    { args: ['--data', '/tmp/harbour'], flags: { port: 4400, data: { dir: '/tmp/harbour' } } },
    {
      args: ['--memory', '--token-seconds', '20'],
      flags: { port: 4400, data: 'memory', accessTokenSeconds: 20 },
    },
    {
      args: ['--memory', '--verbose'],
      flags: { port: 4400, data: 'memory', verbose: true },
    },
    {
      args: ['--allow-origin', 'https://app.example', '--allow-origin=http://boat.test:80/'],
      flags: {
        port: 4400,
        data: { dir: '.chartroom' },
        allowOrigins: ['https://app.example', 'http://boat.test'],
      },
    },
    { args: ['--help', '--port', 'x'], flags: { help: true } },
  ])('$args', ({ args, flags }) => expect(parseStartFlags(args)).toEqual(flags))
})

describe('invalid flags', () => {
  test.each([
    { args: ['--port', 'x'], problem: '--port must be a whole number from 0 to 65535, not "x".' },
    { args: ['--port', '65536'], problem: '--port must be a whole number from 0 to 65535, not "65536".' },
    { args: ['--port', '1.5'], problem: '--port must be a whole number from 0 to 65535, not "1.5".' },
    {
      args: ['--token-seconds', '0'],
      problem: '--token-seconds must be a whole number from 1 to 604800, not "0".',
    },
    {
      args: ['--memory', '--data', 'x'],
      problem: '--memory stores nothing on disk, so it cannot be combined with --data.',
    },
    {
      args: ['--allow-origin', '*'],
      problem: '"*" is not an origin. Write scheme, host and port, such as https://app.example.',
    },
    { args: ['--data', ''], problem: '--data must be the path of a folder.' },
    { args: ['--prot', '1'], problem: expect.stringContaining("Unknown option '--prot'") as string },
    { args: ['here'], problem: expect.stringContaining("Unexpected argument 'here'") as string },
  ])('$args', ({ args, problem }) => expect(parseStartFlags(args)).toEqual({ problem }))
})
