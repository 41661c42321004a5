import type { Command } from './shared/command.ts'
import { type CommandName, summaries } from './shared/summaries.ts'

/** A command before its code is loaded. */
export type CommandEntry = { readonly summary: string; load(): Promise<Command> }

const loaders: Readonly<Record<CommandName, () => Promise<Command>>> = {
  'api-keys': async () => (await import('./customers/api-keys.ts')).apiKeysCommand,
  attribution: async () => (await import('./attribution/attribution.ts')).attributionCommand,
  backup: async () => (await import('./operations/backup.ts')).backupCommand,
  completion: async () => (await import('./completion/completion.ts')).completionCommand(() => commands),
  config: async () => (await import('./operations/config.ts')).configCommand,
  coupons: async () => (await import('./coupons/coupons.ts')).couponsCommand,
  currencies: async () => (await import('./currency/currencies.ts')).currenciesCommand,
  customers: async () => (await import('./customers/customers.ts')).customersCommand,
  database: async () => (await import('./operations/database.ts')).databaseCommand,
  doctor: async () => (await import('./operations/doctor.ts')).doctorCommand,
  export: async () => (await import('./export/export.ts')).exportCommand,
  images: async () => (await import('./content/images.ts')).imagesCommand,
  import: async () => (await import('./import/import-group.ts')).importGroup,
  jobs: async () => (await import('./operations/jobs.ts')).jobsCommand,
  machine: async () => (await import('./translation/machine.ts')).machineCommand,
  mail: async () => (await import('./mail/mail.ts')).mailCommand,
  migrate: async () => (await import('./import/migrate.ts')).migrateCommand,
  orders: async () => (await import('./orders/orders.ts')).ordersCommand,
  products: async () => (await import('./catalog/products.ts')).productsCommand,
  restore: async () => (await import('./operations/restore.ts')).restoreCommand,
  settings: async () => (await import('./operations/settings.ts')).settingsCommand,
  'share-pictures': async () => (await import('./catalog/share-pictures.ts')).sharePicturesCommand,
  'shipping-zones': async () => (await import('./shipping/shipping-zones.ts')).shippingZonesCommand,
  statistics: async () => (await import('./statistics/statistics.ts')).statisticsCommand,
  'tax-rates': async () => (await import('./tax/tax-rates.ts')).taxRatesCommand,
  translations: async () => (await import('./translation/translations.ts')).translationsCommand,
  webhooks: async () => (await import('./operations/webhooks.ts')).webhooksCommand,
}

/** Every command of `npm run shop -- <command>` by its name. */
export const commands: Readonly<Record<string, CommandEntry>> = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, { summary: summaries[name as CommandName], load }]),
)

/** Loads the code of one command; undefined where there is no such command. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  return Object.hasOwn(commands, name) ? commands[name]?.load() : undefined
}
