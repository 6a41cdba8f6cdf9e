// What scripts of operators start, as guides said until 1.1: the program under its earlier name.
import "./main.mjs";
