// Puts a chart that can be zoomed in the place of the drawing that the server made.
import 'uplot/dist/uPlot.min.css';
import { showChart } from './chart/show-chart.ts';

for (const place of document.querySelectorAll<HTMLElement>('.chart[data-series]')) showChart(place);
