import { mkdir, writeFile } from 'node:fs/promises'
import { startEmulator } from '../../emulator/start-emulator.ts'
import { compareProviders, type Difference } from './compare-providers.ts'

/**
 * Holds the emulator against PayPal's sandbox: `npm run sandbox`, with PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET of an app in
 * the sandbox. Moves no money and changes nothing that lasts.
 */
const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret } = process.env
const report = new URL('../../reports/sandbox-differences.md', import.meta.url)

if (!clientId || !clientSecret) {
  console.error(
    'Set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET to those of an app in the sandbox of developer.paypal.com.',
  )
  process.exit(2)
}

const emulator = await startEmulator({})
try {
  const sandbox = {
    apiBase: process.env.PAYPAL_API_BASE ?? 'https://api-m.sandbox.paypal.com',
    sdkUrl: process.env.PAYPAL_SDK_URL ?? 'https://www.sandbox.paypal.com/sdk/js',
    clientId,
    clientSecret,
  }
  const twin = {
    apiBase: emulator.url,
    sdkUrl: `${emulator.url}/sdk/js`,
    clientId: 'sb',
    clientSecret: 'emulator-secret',
  }
  const found = await compareProviders(sandbox, twin, `${Date.now().toString(36)}`)
  await mkdir(new URL('.', report), { recursive: true })
  await writeFile(report, written(found, sandbox.apiBase))
  console.log(`${found.length} differences: ${report.pathname}`)
} finally {
  await emulator.close()
}

function written(found: readonly Difference[], where: string): string {
  const rows = found.map(({ step, one, other }) => `| ${[step, one, other].map(cell).join(' | ')} |`)
  return `# What differs between ${where} and the emulator\n\n${new Date().toISOString()}\n\n${
    rows.length === 0 ? 'Nothing.\n' : `| call | PayPal | emulator |\n| --- | --- | --- |\n${rows.join('\n')}\n`
  }`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').slice(0, 300)
}
