<?php

function total($a, $b)
{
    if ($a > 5) {
        return 0;
    }
    return $a + $b;
}
