// Files as the sources publish them, with figures of our own.

/** The daily file of the European Central Bank. */
export const ecbXml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-01-05'>
			<Cube currency='USD' rate='1.0845'/>
			<Cube currency='JPY' rate='163.27'/>
			<Cube currency='CZK' rate='24.187'/>
			<Cube currency='GBP' rate='0.83465'/>
			<Cube currency='HUF' rate='389.93'/>
			<Cube currency='IDR' rate='17615.55'/></Cube>
	</Cube>
</gesmes:Envelope>
`

/** The same of several days, the newest first as in the file of ninety days; one currency has left the newest. */
export const ecbDaysXml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<!-- two days -->
<Cube><Cube time="2026-01-05"><Cube currency="USD" rate="1.0845"/><Cube currency="JPY" rate="163.27"/></Cube>
<Cube time="2025-12-31"><Cube currency="USD" rate="1.0790"/><Cube currency="BGN" rate="1.9558"/></Cube></Cube>
</gesmes:Envelope>`

/** What the data service of the European Central Bank answers as CSV: a dead currency keeps its last day. */
export const sdmxCsv = `KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE_COMPL\r
EXR.D.BGN.EUR.SP00.A,D,BGN,EUR,SP00,A,2025-12-31,1.9558,A,"Reference rate, Bulgarian lev/Euro, 2.15 pm (C.E.T.)"\r
EXR.D.GBP.EUR.SP00.A,D,GBP,EUR,SP00,A,2026-01-05,0.83465,A,"Reference rate, UK pound sterling/Euro, ""2.15 pm"""\r
EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-01-02,1.0801,A,"Reference rate, US dollar/Euro"\r
EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-01-05,1.0845,A,"Reference rate, US dollar/Euro"\r
`

/** Its file of all days: a column for each currency, lines that end with a comma. */
export const historyCsv = `Date,USD,JPY,BGN,
2025-12-31,1.0790,162.10,1.9558,
2026-01-05,1.0845,163.27,N/A,
`

/** Its file of one day: blanks after the commas, the day in words. */
export const dailyCsv = `Date, USD, JPY, CZK, \n05 January 2026, 1.0845, 163.27, 24.187, \n`

export const openRatesJson =
  '{"amount":1.0,"base":"EUR","date":"2026-01-05","rates":{"GBP":0.83465,"USD":1.0845,"JPY":163.27}}'
