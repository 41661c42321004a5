import { parseArgs } from 'node:util'
import { DEFAULTS, startEmulator } from './start-emulator.ts'

const USAGE = `node emulator/main.ts [--port 4100] [--host 127.0.0.1] [--client-id sb] [--client-secret …]
                      [--webhook-url http://127.0.0.1:3000/…] [--webhook-id ${DEFAULTS.webhookId}] [--seed …]
                      [--follow-parent]  ends when the process that started it is gone, however that ended`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4100' },
    host: { type: 'string' },
    'client-id': { type: 'string' },
    'client-secret': { type: 'string' },
    'webhook-url': { type: 'string' },
    'webhook-id': { type: 'string' },
    seed: { type: 'string' },
    'follow-parent': { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

if (values.help) {
  console.log(USAGE)
} else {
  const emulator = await startEmulator({
    port: Number(values.port),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values['client-id'] === undefined ? {} : { clientId: values['client-id'] }),
    ...(values['client-secret'] === undefined ? {} : { clientSecret: values['client-secret'] }),
    ...(values['webhook-url'] === undefined ? {} : { webhookUrl: values['webhook-url'] }),
    ...(values['webhook-id'] === undefined ? {} : { webhookId: values['webhook-id'] }),
    ...(values.seed === undefined ? {} : { seed: values.seed }),
  })
  console.log(`PayPal emulator at ${emulator.url}, control page ${emulator.url}/__emulator/`)
  if (values['follow-parent']) {
    const parent = process.ppid
    setInterval(() => {
      if (process.ppid !== parent) process.exit(0)
    }, 1_000).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void emulator.close().then(() => process.exit(0))
    })
  }
}
