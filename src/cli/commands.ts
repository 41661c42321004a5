import { attributionCommand } from './attribution/attribution.ts'
import { productsCommand } from './catalog/products.ts'
import { sharePicturesCommand } from './catalog/share-pictures.ts'
import { completionCommand } from './completion/completion.ts'
import { imagesCommand } from './content/images.ts'
import { couponsCommand } from './coupons/coupons.ts'
import { currenciesCommand } from './currency/currencies.ts'
import { apiKeysCommand } from './customers/api-keys.ts'
import { customersCommand } from './customers/customers.ts'
import { importCommand } from './import/import.ts'
import { mailCommand } from './mail/mail.ts'
import { backupCommand } from './operations/backup.ts'
import { configCommand } from './operations/config.ts'
import { databaseCommand } from './operations/database.ts'
import { doctorCommand } from './operations/doctor.ts'
import { jobsCommand } from './operations/jobs.ts'
import { restoreCommand } from './operations/restore.ts'
import { settingsCommand } from './operations/settings.ts'
import { ordersCommand } from './orders/orders.ts'
import type { Command } from './shared/command.ts'
import { shippingZonesCommand } from './shipping/shipping-zones.ts'
import { statisticsCommand } from './statistics/statistics.ts'
import { taxRatesCommand } from './tax/tax-rates.ts'
import { machineCommand } from './translation/machine.ts'
import { translationsCommand } from './translation/translations.ts'

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
  images: imagesCommand,
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
