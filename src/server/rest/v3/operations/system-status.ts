import { dirname } from 'node:path'
import { versions } from 'node:process'
import { z } from 'zod'
import { type V3SystemStatus, v3SystemStatus, v3SystemTool } from '#contract/operations/v3-data.ts'
import { flag, paging, recordShape } from '#contract/shared/rest-input.ts'
import { tableSizes } from '#database/operations/table-sizes.ts'
import { checkMachine } from '#shop/operations/doctor/check-machine.ts'
import { type SystemTool, systemTools } from '#shop/operations/system-tools.ts'
import { currencySymbol } from '#web/parts/currency/currency-symbol.ts'
import { priceFormatOf } from '../../../currency/currency-settings.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { invalidParam, unknownId } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'
import { onlyFields } from '../response-fields.ts'

/** Version of the public interface, not of this shop: clients derive the expected members from it. */
const interfaceVersion = '3.0.0'

/** `GET wc/v3/system_status`: the state of the shop. No paths and no addresses of servers. */
export const v3SystemStatusCall = v3Call({
  name: 'system_status',
  tag: 'system_status',
  method: 'GET',
  summary: 'Read the state of the shop',
  input: z.looseObject(recordShape),
  output: v3SystemStatus,
  answer: async (context, { _fields: fields }) => Response.json(onlyFields(await statusOf(context), fields)),
})

async function statusOf({ visit: { app }, tools: shown }: V3Context): Promise<V3SystemStatus> {
  const { tools } = app.inCurrency(app.ownCurrency)
  const { db, clock, network, publicUrl, paypal, settings } = tools
  const dataDir = dirname(app.mediaFolder)
  const [findings, tables] = await Promise.all([
    checkMachine({ db, clock, network, publicUrl, paypal, dataDir }),
    tableSizes(db),
  ])
  const format = priceFormatOf(settings)
  const megabyte = 1024 ** 2
  return {
    environment: {
      home_url: shown.publicUrl,
      site_url: shown.publicUrl,
      version: interfaceVersion,
      server_info: `Node.js ${versions.node}`,
      language: settings.language,
      default_timezone: settings.timeZone,
    },
    database: {
      wc_database_version: interfaceVersion,
      database_prefix: '',
      maxmind_geoip_database: '',
      // In megabytes, as programs expect.
      database_tables: Object.fromEntries(
        Object.entries(tables).map(([name, bytes]) => [name, Math.round((bytes / megabyte) * 100) / 100]),
      ),
    },
    active_plugins: [],
    theme: { name: 'Vitrine' },
    settings: {
      api_enabled: true,
      force_ssl: app.secure,
      currency: settings.currency,
      currency_symbol: format.symbol ?? currencySymbol(settings.currency),
      currency_position: format.position,
      thousand_separator: format.thousandSeparator,
      decimal_separator: format.decimalSeparator,
      number_of_decimals: format.decimals,
      geolocation_enabled: false,
      taxonomies: {
        external: 'external',
        grouped: 'grouped',
        simple: 'simple',
        variable: 'variable',
      },
    },
    security: { secure_connection: app.secure, hide_errors: true },
    pages: [],
    checks: findings.map(({ what, state, advice }) => ({
      check: what,
      state,
      // Advice may name folders of the machine.
      advice: state === 'ok' || advice === '' ? '' : 'Run "npm run shop -- doctor --machine".',
    })),
  }
}

const toolRecord = ({ id, name, action, description }: SystemTool) => ({ id, name, action, description })

/** `wc/v3/system_status/tools` */
export const v3SystemToolCalls = v3Resource({
  path: 'system_status/tools',
  title: 'system tool',
  textId: true,
  item: v3SystemTool,
  list: {
    query: z.object({ ...paging, ...recordShape }),
    async run(_, query) {
      const start = query.offset ?? query.per_page * (query.page - 1)
      return {
        total: systemTools.length,
        records: systemTools.map(toolRecord).slice(start, start + query.per_page),
      }
    },
  },
  async get(_, id: string) {
    return toolRecord(toolWith(id))
  },
  update: {
    input: z.looseObject({ confirm: flag.default(false) }),
    async run({ tools, record }, id, { confirm }) {
      const tool = toolWith(id)
      if (!confirm) throw invalidParam('confirm', 'must be true to run the tool')
      await record('system-tools run', `system-tool:${id}`)
      return { ...toolRecord(tool), ...(await tool.run(tools)) }
    },
  },
})

function toolWith(id: string): SystemTool {
  const tool = systemTools.find((one) => one.id === id)
  if (!tool) throw unknownId('system_status_tool', 'Invalid system status tool ID.')
  return tool
}
