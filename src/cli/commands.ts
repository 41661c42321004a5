import { apiKeysCommand } from './api-keys.ts'
import { attributionCommand } from './attribution.ts'
import { backupCommand } from './backup.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { configCommand } from './config.ts'
import { couponsCommand } from './coupons.ts'
import { currenciesCommand } from './currencies.ts'
import { customersCommand } from './customers.ts'
import { databaseCommand } from './database.ts'
import { doctorCommand } from './doctor.ts'
import { importCommand } from './import.ts'
import { jobsCommand } from './jobs.ts'
import { machineCommand } from './machine.ts'
import { mailCommand } from './mail.ts'
import { ordersCommand } from './orders.ts'
import { productsCommand } from './products.ts'
import { restoreCommand } from './restore.ts'
import { settingsCommand } from './settings.ts'
import { sharePicturesCommand } from './share-pictures.ts'
import { shippingZonesCommand } from './shipping-zones.ts'
import { statisticsCommand } from './statistics.ts'
import { taxRatesCommand } from './tax-rates.ts'
import { translationsCommand } from './translations.ts'

/** Every command of `npm run shop -- <command>` by its name. */
export const commands: Readonly<Record<string, Command>> = {
  'api-keys': apiKeysCommand,
  attribution: attributionCommand,
  backup: backupCommand,
  completion: completionCommand(() => commands),
  config: configCommand,
  coupons: couponsCommand,
  currencies: currenciesCommand,
  customers: customersCommand,
  database: databaseCommand,
  doctor: doctorCommand,
  import: importCommand,
  jobs: jobsCommand,
  machine: machineCommand,
  mail: mailCommand,
  orders: ordersCommand,
  products: productsCommand,
  restore: restoreCommand,
  settings: settingsCommand,
  'share-pictures': sharePicturesCommand,
  'shipping-zones': shippingZonesCommand,
  statistics: statisticsCommand,
  'tax-rates': taxRatesCommand,
  translations: translationsCommand,
}
