<?php
mysqli_query($db, "SELEC * FRM users");
